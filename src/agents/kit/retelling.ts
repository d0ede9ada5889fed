import type { Thread, ThreadChunk } from '../../protocol/chunk.ts'
import type { Tokens } from '../../protocol/data-parts.ts'
import type { Ending } from './parts/op.ts'
import { addChunks, build, initialParts, type Op, type Parts } from './parts.ts'
import { isSpeaking } from './parts/look.ts'
import { entriesIn } from './persistent-map.ts'

/** What every transcript's translation must remember. Immutable. */
export interface Retelling {
  readonly parts: Parts
  /** The answers that may go on where reading paused. */
  readonly paused: ReadonlySet<Thread>
  /** Whether something was asked and no word of the answer has come. */
  readonly isAwaited: boolean
  /** Whether the answer seems to be at work still. */
  readonly isAtWork: boolean
  /** What the answer took so far. */
  readonly tokens: Tokens | null
  /** The times of the first and the last line of the answer. */
  readonly began: number | null
  readonly heard: number | null
  /** An error that ends the answer unless more follows. */
  readonly trouble: { readonly kind: string; readonly message: string } | null
}

/** The one thing that changes while a line is read. */
export interface Teller {
  told: Retelling
  readonly chunks: ThreadChunk[]
}

/** Before the first line. */
export const initialRetelling = (agent: string, connection: string): Retelling => ({
  parts: initialParts(agent, connection),
  paused: new Set(),
  isAwaited: false,
  isAtWork: false,
  tokens: null,
  began: null,
  heard: null,
  trouble: null,
})

/** Changes what is remembered. */
export function note(teller: Teller, change: Partial<Retelling>): void {
  teller.told = { ...teller.told, ...change }
}

/** Says what the agent did in a thread; an answer that reading had paused is taken up again. */
export function say(teller: Teller, ops: readonly Op[], thread: Thread = null): void {
  const { paused, isAwaited } = teller.told
  const isSaid = ops.some(({ type }) => type !== 'session' && type !== 'step-end')
  const resumes = isSaid && paused.has(thread)
  const begins = isSaid && isAwaited && thread === null
  if (resumes) note(teller, { paused: new Set([...paused].filter(each => each !== thread)) })
  if (begins) note(teller, { isAwaited: false })
  const first: readonly Op[] = [
    ...(resumes ? [{ type: 'resume' } as const] : []),
    ...(begins ? [{ type: 'begin' } as const] : []),
  ]
  perform(teller, [...first, ...ops], thread)
}

function perform(teller: Teller, ops: readonly Op[], thread: Thread): void {
  const [parts, chunks] = build(teller.told.parts, ops, thread)
  note(teller, { parts })
  addChunks(teller, chunks)
}

/** Records the time of a line of the main answer. */
export function hearAt(teller: Teller, at: number | null): void {
  if (at !== null) note(teller, { heard: at, began: teller.told.began ?? at })
}

/** Shows what the answer took so far. */
export function showUsage(teller: Teller, tokens: Tokens, model: string | null, thread: Thread = null): void {
  if (thread === null) note(teller, { tokens })
  const chunk = { type: 'data-usage', id: 'usage', data: { tokens, cost: null, model } } as const
  say(teller, [{ type: 'show', chunk }], thread)
}

/** Finishes the main answer, if there is one. */
export function finish(teller: Teller, ending: Partial<Ending> = {}): void {
  const { parts, trouble, isAtWork, tokens, began, heard } = teller.told
  note(teller, { trouble: null })
  if (!isSpeaking(parts)) return
  const reason = trouble !== null ? 'failed' : isAtWork ? 'interrupted' : 'finished'
  const op: Op = {
    type: 'finish',
    reason,
    ...(trouble === null ? {} : { error: trouble }),
    ...(tokens === null ? {} : { tokens }),
    metadata: { startedAt: began, endedAt: heard },
    ...ending,
  }
  perform(teller, [op], null)
}

/** A person asks something: what was answered before is over. */
export function ask(teller: Teller, at: number | null): void {
  finish(teller)
  const paused = new Set([...teller.told.paused].filter(each => each !== null))
  note(teller, { paused, isAwaited: true, isAtWork: true, tokens: null, began: at, heard: at })
}

/** Nothing more was read: open answers are finished, and may go on later. */
export function pause(teller: Teller): void {
  const open = [...entriesIn(teller.told.parts.threads)].flatMap(([thread, { message }]) =>
    message === null ? [] : [thread],
  )
  for (const thread of open.filter(each => each !== null))
    perform(teller, [{ type: 'finish', reason: 'finished', finishReason: 'other' }], thread)
  finish(teller, { pauses: true })
  note(teller, { paused: new Set([...teller.told.paused, ...open]) })
}
