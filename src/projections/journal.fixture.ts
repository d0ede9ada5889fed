import type { Chunk, Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Event, EventOf, Outcome } from '../protocol/event.ts'
import type {
  ApprovalId,
  ConnectionId,
  EntryId,
  InteractionId,
  PromptId,
  SessionId,
} from '../protocol/ids.ts'

/** Events in their places, one second apart. */
export const journal = (...events: readonly Event[]): readonly Entry[] =>
  events.map((event, index) => ({
    session: 's' as SessionId,
    seq: index + 1,
    id: `entry-${index + 1}` as EntryId,
    at: (index + 1) * 1000,
    event,
  }))

/** The beginning of a session. */
export const created = (title: string | null = null): Event => ({
  type: 'session-created',
  agent: 'scripted',
  cwd: '/',
  title,
  options: null,
})

/** The start of an interaction; without text, it has no prompt. */
export const started = (
  interaction: string,
  text: string | null = 'Hello',
): EventOf<'interaction-started'> => ({
  type: 'interaction-started',
  interaction: interaction as InteractionId,
  trigger: text === null ? 'agent' : 'user',
  agent: 'scripted',
  prompt: text === null ? null : (`prompt-${interaction}` as PromptId),
  parts: text === null ? [] : [{ type: 'text', text }],
})

/** What the agent said, of one thread. */
export const spoke = (interaction: string | null, thread: Thread, ...chunks: readonly Chunk[]): Event =>
  said(
    interaction,
    chunks.map(chunk => ({ thread, chunk })),
  )

/** What the agent said, of any threads. */
export const said = (interaction: string | null, chunks: readonly ThreadChunk[]): Event => ({
  type: 'agent-spoke',
  interaction: interaction as InteractionId | null,
  connection: 'c' as ConnectionId,
  raw: '',
  chunks,
})

/** The end of an interaction. */
export const ended = (
  interaction: string,
  outcome: Outcome = 'finished',
  reason: string | null = null,
): Event => ({
  type: 'interaction-ended',
  interaction: interaction as InteractionId,
  outcome,
  reason,
  chunks: [],
})

/** The beginning of a connection. */
export const connected: Event = {
  type: 'agent-connected',
  agent: 'scripted',
  connection: 'c' as ConnectionId,
  process: null,
  resumed: null,
}

/** Its end, with what is closed in it. */
export const exited = (...chunks: readonly ThreadChunk[]): Event => ({
  type: 'agent-exited',
  connection: 'c' as ConnectionId,
  code: 1,
  signal: null,
  reason: null,
  chunks,
})

/** A person's answer. */
export const answered = (approval: string, more: Partial<EventOf<'approval-answered'>> = {}): Event => ({
  type: 'approval-answered',
  approval: approval as ApprovalId,
  approved: true,
  reason: null,
  always: false,
  ...more,
})

/** The beginning of a message. */
export const start = (messageId: string): Chunk => ({ type: 'start', messageId })
/** The end of a message. */
export const finish: Chunk = { type: 'finish', finishReason: 'stop' }
/** A whole part of text. */
export const text = (id: string, words: string): readonly Chunk[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta: words },
  { type: 'text-end', id },
]

const ours = { dynamic: true, providerExecuted: true } as const
/** A tool call with its whole input. */
export const call = (toolCallId: string, toolName = 'Read', input = 'in'): Chunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName,
  input: { input },
  ...ours,
})
/** A tool's output. */
export const output = (toolCallId: string, value = 'out'): Chunk => ({
  type: 'tool-output-available',
  toolCallId,
  output: value,
  ...ours,
})
/** A tool's error. */
export const failure = (toolCallId: string, errorText = 'no'): Chunk => ({
  type: 'tool-output-error',
  toolCallId,
  errorText,
  ...ours,
})
/** A question about a tool call. */
export const ask = (toolCallId: string, approvalId = `ask-${toolCallId}`): Chunk => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
})
