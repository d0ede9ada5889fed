import type { Thread, ThreadChunk } from '../../../protocol/chunk.ts'
import type { Tokens } from '../../../protocol/data-parts.ts'
import { addChunks, build, type Op, type Parts } from '../../kit/parts.ts'
import type { Prices } from '../lines.ts'
import type { WireState } from '../wire/wire-event.ts'

/** The state that a connection's next line needs. Immutable. */
export interface ModelState {
  readonly parts: Parts
  readonly prices: Prices | null
  /** The response that the next events of a stream belong to. */
  readonly current: string | null
  readonly responses: ReadonlyMap<string, ResponseState>
  /** The threads with a response since the last step ended. */
  readonly inStep: ReadonlySet<Thread>
  /** The usage of the answer so far, including the requests of subagents. */
  readonly spent: Tokens
  readonly cost: number | null
  /** The usage of the running subagents. */
  readonly spentBy: ReadonlyMap<string, Spending>
  /** The output of running commands so far. */
  readonly outputs: ReadonlyMap<string, string>
}

/** The usage, and its cost as far as known. */
export interface Spending {
  readonly tokens: Tokens
  readonly cost: number | null
}

/** The state of one response. */
export interface ResponseState {
  readonly thread: Thread
  readonly wire: WireState
  readonly model: string | null
  readonly tokens: Tokens
  /** The keys of its parts, and the names of its calls, to retract them. */
  readonly emitted: ReadonlySet<string>
  /** The name of each call, by its key, in the order in which they came. */
  readonly calls: ReadonlyMap<string, string>
  /** The provider's own id of each call, by its name; empty where it gave none. */
  readonly ids: ReadonlyMap<string, string>
  /** The names of the calls that the provider ran, by the provider's own id. */
  readonly theirs: ReadonlyMap<string, string>
}

/** No usage. */
export const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** The mutable part while a line is read: the newest state, and the chunks so far. */
export interface Draft {
  state: ModelState
  readonly chunks: ThreadChunk[]
}

/** Changes the state. */
export function note(draft: Draft, change: Partial<ModelState>): void {
  draft.state = { ...draft.state, ...change }
}

/** Applies operations in a thread. */
export function emit(draft: Draft, thread: Thread, ops: readonly Op[]): void {
  if (ops.length === 0) return
  const [parts, chunks] = build(draft.state.parts, ops, thread)
  note(draft, { parts })
  addChunks(draft, chunks)
}
