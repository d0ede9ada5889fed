export { createClient, type Client, type ClientOptions } from './create-client.ts'
export {
  createChatTransport,
  type ChatTransportOptions,
  type DragomanChatTransport,
} from './chat/create-chat-transport.ts'
export type { Caller, CallOptions, JsonCall } from './call.ts'
export type { EntryReader, Following } from './follow/connection.ts'
export type { ConnectionState } from './follow/reopen.ts'
export type { ListedSession } from './follow/source.ts'
export type { WebSocketLike, WebSocketMaker } from './follow/websocket-source.ts'
export type { Outbox, SentPrompt } from './outbox/outbox.ts'
export type { GivenPrompt, Outgoing } from './outbox/outgoing.ts'
export type { OutboxStorage } from './outbox/shelf.ts'
export type { Readable } from './readable.ts'
export { UnreachableError } from './refusal.ts'
export type { Session, SessionDebug, SessionUsage, WaitingPrompt } from './session.ts'
export type { CallTimes } from './stores/call-times.ts'
export type { SessionFilter, SessionList, SessionListState } from './stores/session-list.ts'
export type {
  Conversation,
  ListedApproval,
  ListedRule,
  SessionFacts,
  SessionState,
  ShownMessage,
  StreamingBlock,
} from './stores/session-state.ts'
export type { Timing } from './timing.ts'
export { DragomanError, isDragomanError, type ErrorCode } from '../protocol/error.ts'
