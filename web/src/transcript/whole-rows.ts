import type { Message, MessagePart, Validity } from 'dragoman'
import type { InteractionFacts } from './interaction-facts.ts'
import { isSlot, piecesOf, type Slot } from './message-rows.ts'
import type { Row, RowPlace } from './row.ts'

/** The position and state of a message. */
export interface MessageSetting {
  readonly depth: number
  readonly thread: string | null
  /** Whether it may still grow. */
  readonly isOpen: boolean
  readonly validity: Validity
  readonly facts: InteractionFacts | null
}

/** The rows of a message with those of the subagents in it. */
export interface WholeRows {
  readonly rows: readonly Row[]
  readonly hasSlots: boolean
}

/** All rows of a message; `fill` returns those of a subagent. */
export function wholeRows(
  message: Message,
  setting: MessageSetting,
  isThread: (toolCall: string) => boolean,
  fill: (slot: Slot, depth: number) => readonly Row[],
): WholeRows {
  const { depth, thread, isOpen } = setting
  if (message.role !== 'assistant') return { rows: [rowOfWhole('prompt', message, setting)], hasSlots: false }
  const { pieces, hasSlots } = piecesOf(message, { depth, thread, isThread })
  const rows: Row[] = []
  for (const piece of pieces)
    if (isSlot(piece)) rows.push(...fill(piece, depth))
    else rows.push(piece)
  const trouble = setting.facts === null && thread === null ? troubleOf(message) : null
  if (trouble !== null) rows.push(rowOfTrouble(message, trouble))
  if (!isOpen && setting.facts?.outcome === 'finished' && message.parts.every(isNothing))
    rows.push(rowOfSilence(message, setting))
  if (rows.length > 0 && !isOpen) rows.push(rowOfWhole('footer', message, setting))
  return { rows, hasSlots }
}

/** Whether a part is only metadata, or has no text. */
const isNothing = (part: MessagePart): boolean =>
  part.type === 'step-start' ||
  part.type === 'data-session' ||
  part.type === 'data-usage' ||
  part.type === 'data-limits' ||
  (part.type === 'text' && part.text.trim() === '')

const silences = new WeakMap<Message, Row>()

function rowOfSilence(message: Message, setting: MessageSetting): Row {
  const row: Row = silences.get(message) ?? { ...placeOf(message, 'silent', setting), kind: 'silent' }
  silences.set(message, row)
  return row
}

const wholes = new WeakMap<Message, Map<'prompt' | 'footer', Row>>()

/** A row about the whole message; the same object while nothing changed. */
function rowOfWhole(kind: 'prompt' | 'footer', message: Message, setting: MessageSetting): Row {
  const { depth, thread, validity } = setting
  const rows = wholes.get(message) ?? new Map<'prompt' | 'footer', Row>()
  wholes.set(message, rows)
  const at = timeOf(kind, message, setting)
  const known = rows.get(kind)
  if (known?.kind === kind && known.at === at && known.validity === validity && known.depth === depth)
    return known
  const row: Row = { ...placeOf(message, kind, { depth, thread }), kind, of: message, at, validity }
  rows.set(kind, row)
  return row
}

const placeOf = (
  { id }: Message,
  name: string,
  { depth, thread }: Pick<RowPlace, 'depth' | 'thread'>,
): RowPlace => ({ key: `${thread ?? ''} ${id} ${name}`, depth, thread, message: id })

/** A prompt has the start time of its interaction and an answer the end time, unless the message has its own. */
function timeOf(kind: 'prompt' | 'footer', { metadata }: Message, { facts }: MessageSetting): number | null {
  const own = metadata?.[kind === 'prompt' ? 'startedAt' : 'endedAt']
  if (typeof own === 'number') return own
  return (kind === 'prompt' ? facts?.startedAt : (facts?.endedAt ?? facts?.startedAt)) ?? null
}

interface Trouble {
  readonly outcome: 'failed' | 'interrupted'
  readonly reason: string | null
}

/** How a message ended according to its metadata, where its interaction is unknown. */
function troubleOf({ metadata }: Message): Trouble | null {
  const outcome = metadata?.['reason']
  if (outcome !== 'failed' && outcome !== 'interrupted') return null
  const error = metadata?.['error']
  const text = typeof error === 'object' && error !== null && 'message' in error ? error.message : null
  return { outcome, reason: typeof text === 'string' ? text : null }
}

const troubles = new WeakMap<Message, Row>()

function rowOfTrouble(message: Message, trouble: Trouble): Row {
  const row = troubles.get(message) ?? {
    ...placeOf(message, 'ending', { depth: 0, thread: null }),
    kind: 'ending',
    ...trouble,
  }
  troubles.set(message, row)
  return row
}
