import type { Thread } from '../../protocol/chunk.ts'
import type { Tokens } from '../../protocol/data-parts.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Op } from '../kit/parts.ts'
import { callIn, isSpeaking } from '../kit/parts/look.ts'
import { emptyMap, getIn, setIn, type PersistentMap } from '../kit/persistent-map.ts'
import { noTokens, sumOf } from './messages.ts'
import { finishReasons } from './result.ts'
import { act, initial, remember, type Draft, type State, type Trouble } from './state.ts'

/** All that must be remembered of a transcript to understand its next line. Immutable. */
export interface TranscriptState {
  /** What is remembered of live words, too. */
  readonly live: State
  /** The answers that may go on where reading paused. */
  readonly paused: ReadonlySet<Thread>
  /** The call that started each subagent, by the subagent's own id. */
  readonly agents: ReadonlyMap<string, string>
  /** The thread of each line of a side chain. */
  readonly chains: PersistentMap<string, string>
  /** What each message of a model took. */
  readonly requests: PersistentMap<string, Tokens>
  /** What the answer in hand took, by thread; null as long as no model was asked for it. */
  readonly used: PersistentMap<Thread, Tokens | null>
  /** What the answer in hand cost, and the session up to the last time that this was told. */
  readonly cost: number | null
  readonly sessionCost: number
  /** Prompts that wait for the end of an answer. */
  readonly queue: readonly string[]
  /** Those that were taken into an answer and told, and may be told once more. */
  readonly takenIn: readonly string[]
  /** Whether the answer of the main thread seems to be at work still. */
  readonly isAtWork: boolean
  /** When the answer of the main thread began, and when it was heard last. */
  readonly began: number | null
  readonly heard: number | null
  /** The error that ended the answer, should it go on in spite of it. */
  readonly ended: Trouble | null
  /** How long the answer took, where that is told. */
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
    heard: null,
    ended: null,
    duration: null,
  }
}

/** The one thing that changes while a line is read. */
export interface Page extends Draft {
  book: Omit<TranscriptState, 'live'>
}

/** Changes what is remembered of the transcript. */
export function note(page: Page, change: Partial<Page['book']>): void {
  page.book = { ...page.book, ...change }
}

/** Takes up a thread's answer again that reading had paused: to go on with it, or to end it for good. */
export function takeUp(page: Page, thread: Thread): void {
  // The call of a subagent that was never told is made up in the conversation.
  if (thread !== null && callIn(page.state.parts, thread) === undefined) takeUp(page, null)
  if (!page.book.paused.has(thread)) return
  note(page, { paused: new Set([...page.book.paused].filter(each => each !== thread)) })
  act(page, [{ type: 'resume' }], thread)
  const { ended } = page.book
  if (thread !== null || ended === null) return
  note(page, { ended: null })
  remember(page, { trouble: ended })
}

/** Says something beside an answer, which may have to be taken up again for it. */
export function say(page: Page, thread: Thread, ...ops: readonly Op[]): void {
  if (thread === null || callIn(page.state.parts, thread)) takeUp(page, thread)
  act(page, ops, thread)
}

/** Counts what a request to the model took; it is told anew with each of its blocks, and the last one counts. */
export function spend(page: Page, thread: Thread, id: string, tokens: Tokens, model: string | null): void {
  const before = getIn(page.book.requests, id) ?? noTokens
  const total = sumOf(getIn(page.book.used, thread) ?? noTokens, difference(tokens, before))
  note(page, {
    requests: setIn(page.book.requests, id, tokens),
    used: setIn(page.book.used, thread, total),
  })
  const cost = thread === null ? page.book.cost : null
  const data = { tokens: total, cost, model }
  act(page, [{ type: 'show', chunk: { type: 'data-usage', id: 'usage', data } }], thread)
}

/** The cost of a session is told as a sum; what it grew by is that of the answer before it, if a model was asked for one. */
export function tellCost(page: Page, sum: number): void {
  const tokens = getIn(page.book.used, null) ?? null
  if (tokens === null || sum < page.book.sessionCost) return note(page, { sessionCost: sum })
  const cost = (page.book.cost ?? 0) + sum - page.book.sessionCost
  note(page, { cost, sessionCost: sum })
  const data = { tokens, cost, model: page.state.parts.session.model }
  say(page, null, { type: 'show', chunk: { type: 'data-usage', id: 'usage', data } })
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
  // Subagents may end with it.
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
        metadata: { startedAt: book.began, endedAt: book.heard },
      },
    ])
  }
  // A second pause in a row knows nothing new of the end.
  note(page, { ended: state.trouble ?? book.ended })
  remember(page, { trouble: null })
}

/** Makes ready for the answer to something new. */
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
