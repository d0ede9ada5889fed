/**
 * `dragoman`: the types that every other door uses, and the one error. A session is a list of entries; an entry holds an
 * event; an event may hold chunks; chunks make messages.
 */

// Entries, the events in them, and the chunks in those.
export type { Entry } from './entry.ts'
export {
  chunksOf,
  type Answerer,
  type Event,
  type EventOf,
  type HandoverWay,
  type Outcome,
  type Raw,
  type TranscriptFacts,
  type Trigger,
  type Validity,
} from './event.ts'
export type { Chunk, FinishReason, MessageMetadata, ProviderMetadata, Thread, ThreadChunk } from './chunk.ts'
export type { DataParts, Todo, Tokens } from './data-parts.ts'

// Messages, as the AI SDK has them.
export type { DataPart, Message, MessagePart, PromptPart, ToolApproval, ToolPart } from './message.ts'

// What can be set for an agent.
export type { OptionFacts, OptionSchema, OptionsSchema } from './agent-options.ts'

// What can be asked of a session, and how it is refused.
export type { Command } from './command.ts'
export { DragomanError, isDragomanError, type ErrorCode } from './error.ts'

// Ids and JSON.
export type { ApprovalId, ConnectionId, EntryId, InteractionId, PromptId, SessionId } from './ids.ts'
export type { Json } from './json.ts'
