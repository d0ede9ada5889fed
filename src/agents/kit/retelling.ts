import type { Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { ModelRequest, Tokens } from '../../protocol/data-parts.ts'
import type { Ending } from './parts/op.ts'
import { addChunks, build, initialParts, type Op, type Parts } from './parts.ts'
import { isSpeaking } from './parts/look.ts'
import { entriesIn } from './persistent-map.ts'

/** The state that every transcript's translation needs. Immutable. */
export interface Retelling {
  readonly parts: Parts
  /** The threads whose answers may continue where reading paused. */
  readonly paused: ReadonlySet<Thread>
  /** Whether a prompt was read, and nothing of its answer yet. */
  readonly isAwaited: boolean
  /** Whether the answer seems to be still running. */
  readonly isAtWork: boolean
  /** The tokens of the answer so far. */
  readonly tokens: Tokens | null
  /** The times of the answer's first and last line. */
  readonly began: number | null
  readonly lastAt: number | null
  /** An error that ends the answer unless more follows. */
  readonly trouble: { readonly kind: string; readonly message: string } | null
}

/** What an answer has used so far. */
export interface Used {
  readonly tokens: Tokens
  readonly model: string | null
  readonly request?: ModelRequest | undefined
}

/** The mutable state while a line is read. */
export interface Teller {
  retelling: Retelling
  readonly chunks: ThreadChunk[]
}

/** The state before the first line. */
export const initialRetelling = (agent: string, connection: string): Retelling => ({
  parts: initialParts(agent, connection),
  paused: new Set(),
  isAwaited: false,
  isAtWork: false,
  tokens: null,
  began: null,
  lastAt: null,
  trouble: null,
})

/** Changes the state. */
export function note(teller: Teller, change: Partial<Retelling>): void {
  teller.retelling = { ...teller.retelling, ...change }
}

/** Applies ops in a thread. An answer that was paused is resumed. */
export function say(teller: Teller, ops: readonly Op[], thread: Thread = null): void {
  const { paused, isAwaited } = teller.retelling
  const isSaid = ops.some(({ type }) => type !== 'session' && type !== 'step-end')
  const resumes = isSaid && paused.has(thread)
  const begins = isSaid && isAwaited && thread === null
  if (resumes) note(teller, { paused: new Set([...paused].filter(each => each !== thread)) })
  if (begins) note(teller, { isAwaited: false })
  const first: readonly Op[] = [
    ...(resumes ? [{ type: 'resume' } as const] : []),
    ...(begins ? [{ type: 'begin' } as const] : []),
  ]
  applyOps(teller, [...first, ...ops], thread)
}

function applyOps(teller: Teller, ops: readonly Op[], thread: Thread): void {
  const [parts, chunks] = build(teller.retelling.parts, ops, thread)
  note(teller, { parts })
  addChunks(teller, chunks)
}

/** Records the time of a line of the main answer. */
export function noteTime(teller: Teller, at: number | null): void {
  if (at !== null) note(teller, { lastAt: at, began: teller.retelling.began ?? at })
}

/** Shows the tokens of the answer so far, and of its newest request to the model, where these are known. */
export function showUsage(teller: Teller, { tokens, model, request }: Used, thread: Thread = null): void {
  if (thread === null) note(teller, { tokens })
  const data = { tokens, cost: null, model, ...(request && { request }) }
  const chunk = { type: 'data-usage', id: 'usage', data } as const
  say(teller, [{ type: 'show', chunk }], thread)
}

/** Finishes the main answer, if there is one. */
export function finish(teller: Teller, ending: Partial<Ending> = {}): void {
  const { parts, trouble, isAtWork, tokens, began, lastAt } = teller.retelling
  note(teller, { trouble: null })
  if (!isSpeaking(parts)) return
  const reason = trouble !== null ? 'failed' : isAtWork ? 'interrupted' : 'finished'
  const op: Op = {
    type: 'finish',
    reason,
    ...(trouble === null ? {} : { error: trouble }),
    ...(tokens === null ? {} : { tokens }),
    metadata: { startedAt: began, endedAt: lastAt },
    ...ending,
  }
  applyOps(teller, [op], null)
}

/** A prompt begins: the answer before it is over. */
export function ask(teller: Teller, at: number | null): void {
  finish(teller)
  const paused = new Set([...teller.retelling.paused].filter(each => each !== null))
  note(teller, { paused, isAwaited: true, isAtWork: true, tokens: null, began: at, lastAt: at })
}

/** Reading pauses: open answers are finished, and may continue later. */
export function pause(teller: Teller): void {
  const open = [...entriesIn(teller.retelling.parts.threads)].flatMap(([thread, { message }]) =>
    message === null ? [] : [thread],
  )
  for (const thread of open.filter(each => each !== null))
    applyOps(teller, [{ type: 'finish', reason: 'finished', finishReason: 'other' }], thread)
  finish(teller, { pauses: true })
  note(teller, { paused: new Set([...teller.retelling.paused, ...open]) })
}
