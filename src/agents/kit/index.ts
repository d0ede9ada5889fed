/**
 * `dragoman/agents`: the contract and the kit for authors of agents. See `docs/write-an-agent.md`.
 */

// The contract: what an agent is, and what a connection to it can do.
export type {
  Agent,
  AgentLine,
  Answer,
  Capabilities,
  CompiledContext,
  Connection,
  ConnectOptions,
  ContextRequest,
  ContextSource,
  ForkPoint,
  HistoryEdit,
  HistoryPlace,
  OpenHistory,
  Opening,
  OptionFacts,
  OptionSchema,
  OptionsSchema,
  OwnHistory,
  Patience,
  Readiness,
} from '../agent.ts'
export type { RawMessage, Translation } from '../translation.ts'
export type { Child, ChildOptions, Exit, LogPieces, StartProgram } from '../program.ts'

// The contract for transcripts that an agent leaves on disk.
export {
  deniedApproval,
  isPause,
  ownLineIn,
  type Denial,
  type FoundTranscript,
  type Importer,
  type OwnLine,
  type ReadOptions,
  type SkippedLine,
  type Transcript,
  type TranscriptLine,
  type TranscriptPrompt,
  type TranscriptSubagent,
} from '../importer.ts'

// Declaring and checking options.
export { checkOptions, declareOptions, option } from './declare-options.ts'

// Finding and starting a program.
export { agentEnvironment } from './environment.ts'
export { lookAt, readinessOf, type Login, type Look, type Program, type Tested } from './readiness.ts'
export { startChild } from './child-process.ts'
export { createLogPieces } from './log-pieces.ts'

// Communicating with it in lines, or in JSON-RPC over lines.
export { openLineChannel, type LineChannel, type LineChannelOptions } from './line-channel.ts'
export { RpcRefusal, speakJsonRpc, type Answerer, type IncomingRequest, type JsonRpc } from './json-rpc.ts'

// Turning its lines into well-formed chunks.
export { noticeOf, readJson, unknownOf, type Reading } from './parse-json.ts'
export { build, initialParts, type Op, type Parts } from './parts.ts'
export type { AskedAs, Ending, WholePart } from './parts/op.ts'

// Testing an agent with recordings of its program.
export { readRecording, testAgent, translateRecording } from './test-agent.ts'
