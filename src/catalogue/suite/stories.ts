import { isDragomanError } from '../../protocol/error.ts'
import type { Chunk, Thread } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Event, Outcome } from '../../protocol/event.ts'
import type {
  ApprovalId,
  ConnectionId,
  EntryId,
  InteractionId,
  PromptId,
  SessionId,
} from '../../protocol/ids.ts'
import { advance } from '../advance.ts'
import type { Catalogue } from '../catalogue.ts'
import type { SessionState } from '../session-state.ts'

/** Tests by the rule that each of them checks. */
export type Tests = Readonly<Record<string, (catalogue: Catalogue, stories: Stories) => Promise<void>>>

/** The sessions of a test: numbers and dates their events, and saves what these change. */
export interface Stories {
  /** The time of the next entry, in milliseconds. */
  at: number
  /** Adds entries to a session and saves their changes as one batch. */
  tell(session: string, ...events: readonly Event[]): Promise<void>
  /** The entries of a session so far. */
  entries(session: string): readonly Entry[]
}

/** Stories that are saved in a catalogue. */
export function createStories(catalogue: Catalogue): Stories {
  const states = new Map<string, SessionState | null>()
  const told = new Map<string, Entry[]>()
  return {
    at: 1000,
    async tell(session, ...events) {
      const known = told.get(session) ?? []
      told.set(session, known)
      const entries = events.map((event, index): Entry => {
        const seq = known.length + index + 1
        const at = this.at + index * 1000
        return { session: named(session), seq, id: `${session}-${seq}` as EntryId, at, event }
      })
      this.at += events.length * 1000
      known.push(...entries)
      const { state, changes } = advance(states.get(session) ?? null, entries)
      states.set(session, state)
      await catalogue.save(changes)
    },
    entries: session => told.get(session) ?? [],
  }
}

/** A session id for tests. */
export const named = (name: string): SessionId => name as SessionId

/** The code of the error that a promise fails with. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isDragomanError(error) ? error.code : String(error)),
  )

/** The first event of a session. */
export const created = (agent = 'test', title: string | null = null): Event => ({
  type: 'session-created',
  agent,
  cwd: '/home/me',
  title,
  options: null,
})

/** The start of an interaction; without a prompt the agent started it. */
export const started = (id: string, prompt: string | null = 'go'): Event => ({
  type: 'interaction-started',
  interaction: id as InteractionId,
  trigger: prompt === null ? 'agent' : 'user',
  agent: 'test',
  prompt: prompt === null ? null : (`prompt-${id}` as PromptId),
  parts: prompt === null ? [] : [{ type: 'text', text: prompt }],
})

/** The end of an interaction. */
export const ended = (id: string, outcome: Outcome = 'finished'): Event => ({
  type: 'interaction-ended',
  interaction: id as InteractionId,
  outcome,
  reason: null,
  chunks: [],
})

/** Chunks of an agent in a thread. */
export const spoke = (id: string, thread: Thread, ...chunks: readonly Chunk[]): Event => ({
  type: 'agent-spoke',
  interaction: id as InteractionId,
  connection: 'c' as ConnectionId,
  raw: '',
  chunks: chunks.map(chunk => ({ thread, chunk })),
})

/** A person's answer to an approval. */
export const answered = (approval: string, approved = true): Event => ({
  type: 'approval-answered',
  approval: approval as ApprovalId,
  approved,
  reason: null,
  always: false,
})

/** The start and the end of a message. */
export const start = (messageId: string): Chunk => ({ type: 'start', messageId })
/** The end of a message. */
export const finish: Chunk = { type: 'finish' }

const flags = { dynamic: true, providerExecuted: true } as const

/** A tool call with its input. */
export const call = (toolCallId: string, toolName = 'Read'): Chunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName,
  input: { input: toolCallId },
  ...flags,
})
/** The output of a tool. */
export const output = (toolCallId: string): Chunk => ({
  type: 'tool-output-available',
  toolCallId,
  output: 'out',
  ...flags,
})
/** The error of a tool. */
export const failure = (toolCallId: string): Chunk => ({
  type: 'tool-output-error',
  toolCallId,
  errorText: 'no',
  ...flags,
})
/** A question about a tool call. */
export const ask = (toolCallId: string, approvalId = `ask-${toolCallId}`): Chunk => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
})
/** The usage of a message. */
export const used = (input: number, cost: number | null, model = 'big'): Chunk => ({
  type: 'data-usage',
  data: { tokens: { input, output: 1, cacheRead: 0, cacheWrite: 0 }, cost, model },
})
