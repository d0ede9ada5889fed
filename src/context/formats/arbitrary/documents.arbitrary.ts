import type fc from 'fast-check'
import type { Json } from '../../../protocol/json.ts'
import type { Format } from '../conversation.ts'
import { anthropicDocument } from './anthropic.arbitrary.ts'
import { geminiDocument } from './gemini.arbitrary.ts'
import { openaiChatDocument } from './openai-chat.arbitrary.ts'
import { openaiResponsesDocument } from './openai-responses.arbitrary.ts'
import { uiMessagesDocument } from './ui-messages.arbitrary.ts'

/** Documents of each format: valid, or still to be gone on with. */
export const documents: Readonly<Record<Format, fc.Arbitrary<Json>>> = {
  'anthropic-messages': anthropicDocument,
  'openai-chat': openaiChatDocument,
  'openai-responses': openaiResponsesDocument,
  gemini: geminiDocument,
  'ui-messages': uiMessagesDocument,
}
