import type { Thread, ThreadChunk } from '../../../protocol/chunk.ts'
import type { Tokens } from '../../../protocol/data-parts.ts'
import { addChunks, build, type Op, type Parts } from '../../kit/parts.ts'
import type { Prices } from '../lines.ts'
import type { WireState } from '../wire/wire-event.ts'

/** All that must be remembered to read a connection's next line. Immutable. */
export interface ModelState {
  readonly parts: Parts
  readonly prices: Prices | null
  /** The response that the next events of a stream belong to. */
  readonly current: string | null
  readonly responses: ReadonlyMap<string, ResponseState>
  /** The threads in which a response was heard since the last step ended. */
  readonly inStep: ReadonlySet<Thread>
  /** What the answer took so far, the requests of subagents included. */
  readonly spent: Tokens
  readonly cost: number | null
  /** What the subagents at work took. */
  readonly spentBy: ReadonlyMap<string, Spending>
  /** What running commands wrote so far. */
  readonly outputs: ReadonlyMap<string, string>
}

/** What was used, and what it cost as far as that is known. */
export interface Spending {
  readonly tokens: Tokens
  readonly cost: number | null
}

/** What is remembered of one response. */
export interface ResponseState {
  readonly thread: Thread
  readonly wire: WireState
  readonly model: string | null
  readonly tokens: Tokens
  /** The keys of what it said, and the names of its calls, to take them back. */
  readonly said: ReadonlySet<string>
  /** The name of each call, by its key, in the order in which they came. */
  readonly calls: ReadonlyMap<string, string>
  /** The provider's own id of each call, by its name; empty where it gave none. */
  readonly ids: ReadonlyMap<string, string>
  /** The names of the calls that the provider ran, by the provider's own. */
  readonly theirs: ReadonlyMap<string, string>
}

/** Nothing used. */
export const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** The one thing that changes while a line is read: the newest state, and the chunks so far. */
export interface Draft {
  state: ModelState
  readonly chunks: ThreadChunk[]
}

/** Changes what is remembered. */
export function note(draft: Draft, change: Partial<ModelState>): void {
  draft.state = { ...draft.state, ...change }
}

/** Says what happened in a thread. */
export function say(draft: Draft, thread: Thread, ops: readonly Op[]): void {
  if (ops.length === 0) return
  const [parts, chunks] = build(draft.state.parts, ops, thread)
  note(draft, { parts })
  addChunks(draft, chunks)
}
