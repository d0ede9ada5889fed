import type { Thread } from '../../protocol/chunk.ts'
import type { ModelRequest, Tokens } from '../../protocol/data-parts.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Op } from '../kit/parts.ts'
import { callIn, isSpeaking } from '../kit/parts/look.ts'
import { emptyMap, getIn, setIn, type PersistentMap } from '../kit/persistent-map.ts'
import { noTokens, sumOf } from './messages.ts'
import { finishReasons } from './result.ts'
import { act, initial, remember, type Draft, type State, type Trouble } from './state.ts'

/** The state of a transcript that the next line needs. Immutable. */
export interface TranscriptState {
  /** The state that live lines need, too. */
  readonly live: State
  /** The answers that may continue where reading paused. */
  readonly paused: ReadonlySet<Thread>
  /** The call that started each subagent, by the subagent's own id. */
  readonly agents: ReadonlyMap<string, string>
  /** The thread of each line of a side chain. */
  readonly chains: PersistentMap<string, string>
  /** The usage of each message of a model. */
  readonly requests: PersistentMap<string, Tokens>
  /** The usage of the current answer, by thread; null until a model was asked. */
  readonly used: PersistentMap<Thread, Tokens | null>
  /** The cost of the current answer, and of the session at the last report. */
  readonly cost: number | null
  readonly sessionCost: number
  /** Prompts that wait for the end of an answer. */
  readonly queue: readonly string[]
  /** Prompts that joined an answer and were shown, and may be repeated. */
  readonly takenIn: readonly string[]
  /** Whether the answer of the main thread seems to be running still. */
  readonly isAtWork: boolean
  /** The times of the first and the last line of the main thread's answer. */
  readonly began: number | null
  readonly lastAt: number | null
  /** The error that ended the answer, unless it continues. */
  readonly ended: Trouble | null
  /** The reported duration of the answer. */
  readonly duration: number | null
}

/** The state before the first line of a transcript. */
export function initialTranscript(connection: ConnectionId): TranscriptState {
  return {
    live: initial(connection),
    paused: new Set(),
    agents: new Map(),
    chains: emptyMap(),
    requests: emptyMap(),
    used: emptyMap(),
    cost: null,
    sessionCost: 0,
    queue: [],
    takenIn: [],
    isAtWork: false,
    began: null,
    lastAt: null,
    ended: null,
    duration: null,
  }
}

/** The mutable part while a line is read. */
export interface Page extends Draft {
  book: Omit<TranscriptState, 'live'>
}

/** Changes the state of the transcript. */
export function note(page: Page, change: Partial<Page['book']>): void {
  page.book = { ...page.book, ...change }
}

/** Reopens a thread's answer that reading had paused: to continue it, or to end it. */
export function takeUp(page: Page, thread: Thread): void {
  // The missing call of a subagent is added to the conversation.
  if (thread !== null && callIn(page.state.parts, thread) === undefined) takeUp(page, null)
  if (!page.book.paused.has(thread)) return
  note(page, { paused: new Set([...page.book.paused].filter(each => each !== thread)) })
  act(page, [{ type: 'resume' }], thread)
  const { ended } = page.book
  if (thread !== null || ended === null) return
  note(page, { ended: null })
  remember(page, { trouble: ended })
}

/** Emits something beside an answer, which may have to be reopened for it. */
export function notify(page: Page, thread: Thread, ...ops: readonly Op[]): void {
  if (thread === null || callIn(page.state.parts, thread)) takeUp(page, thread)
  act(page, ops, thread)
}

/** Counts the usage of a request to the model; it is repeated with each of its blocks, and the last one counts. */
export function spend(page: Page, thread: Thread, request: ModelRequest, model: string | null): void {
  const { id, tokens } = request
  const before = getIn(page.book.requests, id) ?? noTokens
  const total = sumOf(getIn(page.book.used, thread) ?? noTokens, difference(tokens, before))
  note(page, {
    requests: setIn(page.book.requests, id, tokens),
    used: setIn(page.book.used, thread, total),
  })
  const cost = thread === null ? page.book.cost : null
  const data = { tokens: total, cost, model, request }
  act(page, [{ type: 'show', chunk: { type: 'data-usage', id: 'usage', data } }], thread)
}

/** The cost of a session is reported as a sum; its growth is the cost of the answer before it, if a model was asked. */
export function addCost(page: Page, sum: number): void {
  const tokens = getIn(page.book.used, null) ?? null
  if (tokens === null || sum < page.book.sessionCost) return note(page, { sessionCost: sum })
  const cost = (page.book.cost ?? 0) + sum - page.book.sessionCost
  note(page, { cost, sessionCost: sum })
  const data = { tokens, cost, model: page.state.parts.session.model }
  notify(page, null, { type: 'show', chunk: { type: 'data-usage', id: 'usage', data } })
}

function difference(one: Tokens, other: Tokens): Tokens {
  return {
    input: one.input - other.input,
    output: one.output - other.output,
    cacheRead: one.cacheRead - other.cacheRead,
    cacheWrite: one.cacheWrite - other.cacheWrite,
  }
}

function reasonOf({ book, state }: Page): 'failed' | 'interrupted' | 'finished' {
  if (state.trouble !== null) return 'failed'
  return book.isAtWork ? 'interrupted' : 'finished'
}

/** Finishes the answer of the main thread, if there is one. */
export function endAnswer(page: Page, how: 'over' | 'paused' | 'interrupted' = 'over'): void {
  // Subagents may end together with the answer.
  if (how !== 'paused' && isSpeaking(page.state.parts))
    for (const call of page.state.parts.running) takeUp(page, call)
  const { book, state } = page
  if (isSpeaking(state.parts)) {
    const { trouble, stop } = state
    const finishReason = finishReasons.get(stop ?? '')
    const failed = trouble === null ? {} : { error: trouble }
    const tokens = getIn(book.used, null) ?? null
    act(page, [
      {
        type: 'finish',
        reason: how === 'interrupted' ? how : reasonOf(page),
        pauses: how === 'paused',
        ...failed,
        ...(finishReason !== undefined && { finishReason }),
        ...(tokens === null ? {} : { tokens }),
        ...(book.cost === null ? {} : { cost: book.cost }),
        ...(book.duration === null ? {} : { duration: book.duration }),
        metadata: { startedAt: book.began, endedAt: book.lastAt },
      },
    ])
  }
  // A second pause in a row adds nothing about the end.
  note(page, { ended: state.trouble ?? book.ended })
  remember(page, { trouble: null })
}

/** Prepares the state for the next answer. */
export function beginAnew(page: Page): void {
  endAnswer(page)
  const paused = new Set([...page.book.paused].filter(each => each !== null))
  note(page, {
    paused,
    used: setIn(page.book.used, null, null),
    takenIn: [],
    isAtWork: false,
    began: null,
    ended: null,
    duration: null,
    cost: null,
  })
  remember(page, { awaiting: true, stop: null })
}
