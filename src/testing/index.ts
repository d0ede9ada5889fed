export { scripted } from '../agents/scripted/index.ts'
export { assertWellFormed, findMalformed, type Malformed } from '../protocol/well-formed.ts'
export {
  startFakeAnthropic,
  type Block as AnthropicBlock,
  type FakeAnthropic,
  type ModelAnswer as AnthropicAnswer,
  type ModelRequest as AnthropicRequest,
  type Piece as AnthropicPiece,
} from './fake-anthropic.ts'
export {
  startFakeGemini,
  type FakeGemini,
  type ModelAnswer as GeminiAnswer,
  type ModelRequest as GeminiRequest,
  type Piece as GeminiPiece,
} from './fake-gemini.ts'
export {
  startFakeOpenAiChat,
  type FakeOpenAiChat,
  type ModelAnswer as OpenAiChatAnswer,
  type ModelRequest as OpenAiChatRequest,
  type Piece as OpenAiChatPiece,
} from './fake-openai-chat.ts'
export {
  startFakeOpenAi,
  type FakeOpenAi,
  type ModelAnswer as OpenAiAnswer,
  type ModelRequest as OpenAiRequest,
  type Output as OpenAiOutput,
  type Piece as OpenAiPiece,
} from './fake-openai-responses.ts'
