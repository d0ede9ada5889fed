import type { DataParts, Message, MessagePart, ToolPart } from 'dragoman'
import { contentOf } from './part-content.ts'
import type { Row, RowContent, RowPlace, SourcePart } from './row.ts'

/** Where a subagent's header and messages go among the rows of a message. */
export interface Slot {
  readonly slot: string
  /** The message and the thread in which it was started. */
  readonly message: string
  readonly thread: string | null
  readonly report: DataParts['subagent'] | null
  readonly part: ToolPart | null
}

/** The rows of a message, in order. */
export interface Pieces {
  readonly pieces: readonly (Row | Slot)[]
  /** Whether there is a subagent in it. */
  readonly hasSlots: boolean
}

/** The position of a message. */
export interface MessagePlace {
  readonly depth: number
  readonly thread: string | null
  /** Whether a tool call started a subagent thread, reported or not. */
  readonly isThread: (toolCall: string) => boolean
}

/** Whether a row already represents a subagent. */
export const isSlot = (piece: Row | Slot): piece is Slot => 'slot' in piece

const rowOfPart = new WeakMap<MessagePart, Row>()

/** A part whose text streams in. */
export type GrowingPart = Extract<MessagePart, { readonly type: 'text' | 'reasoning' }>

/** The row of a part after its text grew; null if the row shows another part. A part without text has no row. */
export function growRow(row: Row | undefined, before: GrowingPart, part: GrowingPart): Row | null {
  if (row === undefined || rowOfPart.get(before) !== row || part.text.trim() === '') return null
  if (row.kind !== 'text' && row.kind !== 'thinking') return null
  const grown: Row = { ...row, text: part.text }
  rowOfPart.set(part, grown)
  return grown
}

/** The pieces of an agent's message; what did not change is the same row as before. */
export function piecesOf(message: Message, place: MessagePlace): Pieces {
  const beside = besideOf(message)
  const taken = new Set<string>()
  const pieces: (Row | Slot)[] = []
  let hasSlots = false
  for (const [index, part] of message.parts.entries()) {
    const thread = threadStartedBy(part, beside, place)
    if (thread !== null) {
      if (taken.has(thread)) continue
      taken.add(thread)
      hasSlots = true
      pieces.push(slotOf(message, thread, part, beside, place))
      continue
    }
    if (addSource(pieces, message, index, part, place)) continue
    const content = contentOf(part, { shortened: beside.shortened, thread: place.thread })
    if (content !== null && !addUnknown(pieces, content))
      pieces.push(kept(part, placeOf(message, index, part, place), content))
  }
  return { pieces, hasSlots }
}

/** Parts that describe other parts. */
interface Beside {
  readonly reports: ReadonlyMap<string, DataParts['subagent']>
  readonly shortened: ReadonlyMap<string, DataParts['shortened']>
}

const besideOfMessage = new WeakMap<Message, Beside>()

function besideOf(message: Message): Beside {
  const known = besideOfMessage.get(message)
  if (known !== undefined) return known
  const reports = new Map<string, DataParts['subagent']>()
  const shortened = new Map<string, DataParts['shortened']>()
  for (const part of message.parts) {
    if (part.type === 'data-subagent' && part.id !== undefined) reports.set(part.id, part.data)
    if (part.type === 'data-shortened') shortened.set(part.data.toolCallId, part.data)
  }
  const beside = { reports, shortened }
  besideOfMessage.set(message, beside)
  return beside
}

function threadStartedBy(part: MessagePart, { reports }: Beside, { isThread }: MessagePlace): string | null {
  if (part.type === 'data-subagent') return part.id ?? null
  if (part.type !== 'dynamic-tool') return null
  return reports.has(part.toolCallId) || isThread(part.toolCallId) ? part.toolCallId : null
}

const slotOf = (
  message: Message,
  slot: string,
  part: MessagePart,
  { reports }: Beside,
  { thread }: MessagePlace,
): Slot => ({
  slot,
  message: message.id,
  thread,
  report: reports.get(slot) ?? null,
  part: callOf(part, message, slot),
})

/** The report may come before or after the call. */
function callOf(part: MessagePart, { parts }: Message, thread: string): ToolPart | null {
  if (part.type === 'dynamic-tool') return part
  return (
    parts.find((each): each is ToolPart => each.type === 'dynamic-tool' && each.toolCallId === thread) ?? null
  )
}

function placeOf(
  { id }: Message,
  index: number,
  part: MessagePart,
  { depth, thread }: MessagePlace,
): RowPlace {
  const name = part.type === 'dynamic-tool' ? `call ${part.toolCallId}` : index
  return { key: `${thread ?? ''} ${id} ${name}`, depth, thread, message: id }
}

/** The row of a part; the same object if nothing about it changed. */
function kept(part: MessagePart, place: RowPlace, content: RowContent): Row {
  const before = rowOfPart.get(part)
  if (
    before !== undefined &&
    before.key === place.key &&
    before.depth === place.depth &&
    sameTool(before, content)
  )
    return before
  const row: Row = { ...place, ...content }
  rowOfPart.set(part, row)
  return row
}

/** Another part may state that a tool call's output was shortened. */
const sameTool = (row: Row, content: RowContent): boolean =>
  row.kind !== 'tool' || (content.kind === 'tool' && row.shortened === content.shortened)

/** Sources that follow each other share a row. */
function addSource(
  pieces: (Row | Slot)[],
  message: Message,
  index: number,
  part: MessagePart,
  place: MessagePlace,
): boolean {
  if (!isSource(part)) return false
  const last = pieces.at(-1)
  if (last !== undefined && !isSlot(last) && last.kind === 'sources') {
    pieces[pieces.length - 1] = { ...last, sources: [...last.sources, part] }
    return true
  }
  pieces.push({ ...placeOf(message, index, part, place), kind: 'sources', sources: [part] })
  return true
}

const isSource = (part: MessagePart): part is SourcePart => part.type.startsWith('source-')

/** Messages of the same unknown type are merged too: a new agent release may send many. */
function addUnknown(pieces: (Row | Slot)[], content: RowContent): boolean {
  const last = pieces.at(-1)
  if (content.kind !== 'unknown' || last === undefined || isSlot(last) || last.kind !== 'unknown')
    return false
  if (last.agent !== content.agent || last.native !== content.native) return false
  pieces[pieces.length - 1] = { ...last, count: last.count + 1 }
  return true
}
