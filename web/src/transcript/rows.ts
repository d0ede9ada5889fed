import type { Message, MessagePart, Validity } from 'dragoman'
import type { Conversation, Outgoing, ShownMessage } from 'dragoman/client'
import { beginning, crossInto, endingOf, type Cursor } from './boundary-rows.ts'
import type { InteractionBook } from './interaction-facts.ts'
import { growRow, type GrowingPart } from './message-rows.ts'
import type { Row } from './row.ts'
import { areSameRows, foldSteps, type StepChoices } from './step-rows.ts'
import { threadRows, type ThreadBook, type ThreadChoices } from './thread-rows.ts'
import { wholeRows, type MessageSetting } from './whole-rows.ts'

/** The running interaction: whether it waits for approval, and the number of slots if it is queued. */
export interface RunningNow {
  readonly interaction: string
  readonly waiting: boolean
  readonly places?: number | null
}

/** Everything that a transcript shows. */
export interface TranscriptInput {
  readonly older: readonly Message[]
  readonly conversation: Conversation
  readonly book: InteractionBook
  /** Loaded subagent messages, and which subagents the user opened or closed. */
  readonly threads: ThreadChoices
  readonly steps: StepChoices
  readonly outbox: readonly Outgoing[]
  /** Null when nothing runs. */
  readonly running: RunningNow | null
}

/** Creates the rows of a conversation. Unchanged rows are the same objects, so that little is drawn again. */
export type RowMaker = (input: TranscriptInput) => readonly Row[]

/** One message of the main conversation with the rows before it. */
interface Block {
  readonly message: Message
  readonly rows: readonly Row[]
  /** Whether its rows depend on other threads. */
  readonly hasSlots: boolean
  /** Whether it has long runs of steps, folded or not. */
  readonly hasSteps: boolean
  /** Where its rows start among all, and the reading position after it. */
  readonly from: number
  readonly cursor: Cursor
}

interface Made {
  /** Null before the first time. */
  readonly input: TranscriptInput | null
  readonly blocks: readonly Block[]
  readonly rows: readonly Row[]
  /** How many of the rows belong to the blocks. */
  readonly length: number
}

/** Starts empty. A live conversation only grows and keeps loaded subagent messages; a frozen one may go back. */
export function createRows({ isLive = true }: { readonly isLive?: boolean } = {}): RowMaker {
  let last = nothing
  let known = new Map<string, readonly ShownMessage[]>()
  return input => {
    const grown = grow(last, input)
    if (grown !== null) return (last = grown).rows
    const threads = new Map(isLive ? known : [])
    for (const [thread, messages] of input.conversation) if (thread !== null) threads.set(thread, messages)
    // A call that later proves to have started a thread must be drawn again, wherever it is.
    last = make(input, threads.size === known.size ? last : nothing, threads, isLive)
    known = threads
    return last.rows
  }
}

/** A message whose last part has more text than before. */
export interface Growth {
  readonly message: Message
  readonly before: GrowingPart
  readonly part: GrowingPart
}

/** How a conversation grew, if all that changed is the streaming text at its end; else null. */
export function growthOf(before: Conversation, after: Conversation): Growth | null {
  if (before.size !== after.size) return null
  for (const [thread, messages] of after) if (thread !== null && before.get(thread) !== messages) return null
  const [old, now] = [before.get(null) ?? none, after.get(null) ?? none]
  const [past, shown] = [old.at(-1), now.at(-1)]
  if (past === undefined || shown === undefined || past === shown || !areSameBeforeLast(old, now)) return null
  return past.interaction === shown.interaction && past.validity === shown.validity
    ? growthIn(past.message, shown.message)
    : null
}

function growthIn(past: Message, message: Message): Growth | null {
  const [before, part] = [past.parts.at(-1), message.parts.at(-1)]
  const isSame = past.id === message.id && areSameBeforeLast(past.parts, message.parts)
  return isSame && isGrowing(before) && isGrowing(part) && before.type === part.type
    ? { message, before, part }
    : null
}

const none: readonly never[] = []

const isGrowing = (part: MessagePart | undefined): part is GrowingPart =>
  (part?.type === 'text' || part?.type === 'reasoning') && part.state === 'streaming'

function areSameBeforeLast(before: readonly unknown[], after: readonly unknown[]): boolean {
  if (before.length !== after.length) return false
  for (let at = after.length - 2; at >= 0; at -= 1) if (before[at] !== after[at]) return false
  return true
}

/** The rows after streaming text grew: one row changes. Null if anything else changed. */
function grow(last: Made, input: TranscriptInput): Made | null {
  const { input: before, blocks } = last
  const block = blocks.at(-1)
  if (before === null || block === undefined || input.running === null || !isSameSetting(before, input))
    return null
  const growth = growthOf(before.conversation, input.conversation)
  const row = growth && growRow(block.rows.at(-1), growth.before, growth.part)
  if (growth === null || row === null) return null
  const rows = last.rows.with(block.from + block.rows.length - 1, row)
  const next = { ...block, message: growth.message, rows: [...block.rows.slice(0, -1), row] }
  return { ...last, input, rows, blocks: [...blocks.slice(0, -1), next] }
}

const isSameSetting = (one: TranscriptInput, other: TranscriptInput): boolean =>
  one.older === other.older &&
  one.book === other.book &&
  one.threads === other.threads &&
  one.steps === other.steps &&
  one.outbox === other.outbox &&
  one.running === other.running

const nothing: Made = { input: null, blocks: [], rows: [], length: 0 }

/** A message in the main conversation. */
interface Entry {
  readonly message: Message
  readonly interaction: string | null
  readonly validity: Validity
}

function make(input: TranscriptInput, last: Made, live: ThreadBook['live'], isLive: boolean): Made {
  const { older, conversation, book, running } = input
  const shown = conversation.get(null) ?? []
  const count = older.length + shown.length
  const at = (index: number): Entry => entryAt(older, shown, book, index)
  const same = firstChange(input, last, count, at)
  const blocks = last.blocks.slice(0, same)
  const rows = last.rows.slice(0, same === 0 ? 0 : (last.blocks[same]?.from ?? last.length))
  const threads = { ...input.threads, live, isLive, isThread: (call: string) => live.has(call) }
  let cursor = blocks.at(-1)?.cursor ?? beginning
  for (let index = same; index < count; index += 1) {
    const setting = { isOpen: running !== null && index === count - 1, threads, steps: input.steps }
    const block = blockOf(at(index), cursor, book, rows.length, setting)
    for (const row of block.rows) rows.push(row)
    cursor = block.cursor
    blocks.push(block)
  }
  const { length } = rows
  for (const row of tailOf(input, cursor, last)) rows.push(row)
  return { input, blocks, rows: areSameRows(last.rows, rows) ? last.rows : rows, length }
}

function entryAt(
  older: readonly Message[],
  shown: readonly ShownMessage[],
  { homes }: InteractionBook,
  index: number,
): Entry {
  const message = older[index]
  if (message !== undefined)
    return { message, interaction: homes.get(message.id)?.interaction ?? null, validity: 'active' }
  // The caller counts, so there is one.
  return shown[index - older.length] as ShownMessage
}

/** The number of leading messages that did not change. The last one may be open or closed, so it is always rebuilt. */
function firstChange(
  { book, threads, steps, conversation }: TranscriptInput,
  { input, blocks }: Made,
  count: number,
  at: (index: number) => Entry,
): number {
  if (book !== input?.book) return 0
  const most = Math.min(blocks.length, count) - 1
  const isOther = threads !== input.threads || conversation !== input.conversation
  const isRefolded = steps !== input.steps
  for (let index = 0; index < most; index += 1) {
    const block = blocks[index]
    const isStale = block === undefined || (block.hasSlots && isOther) || (block.hasSteps && isRefolded)
    if (isStale || block.message !== at(index).message) return index
  }
  return Math.max(0, most)
}

function blockOf(
  { message, interaction, validity }: Entry,
  before: Cursor,
  { facts: known }: InteractionBook,
  from: number,
  {
    isOpen,
    threads,
    steps,
  }: { readonly isOpen: boolean; readonly threads: ThreadBook; readonly steps: StepChoices },
): Block {
  const facts = interaction === null ? null : (known.get(interaction) ?? null)
  const { rows: crossing, cursor } = crossInto(before, interaction, facts)
  const counts = validity === 'active' ? (facts?.validity ?? validity) : validity
  const setting: MessageSetting = { depth: 0, thread: null, isOpen, validity: counts, facts }
  const { rows, hasSlots } = wholeRows(message, setting, threads.isThread, (slot, depth) =>
    threadRows(slot, depth, threads),
  )
  const folded = foldSteps(rows, steps.open)
  const isWatched = isOpen || (interaction !== null && interaction === steps.watched)
  const all = [...crossing, ...(isWatched ? rows : folded.rows)]
  return { message, rows: all, hasSlots, hasSteps: folded.hasSteps, from, cursor }
}

/** The rows after all messages: how the turn ended, that it is running, and unsent prompts. */
function tailOf({ running, outbox, book }: TranscriptInput, { facts }: Cursor, last: Made): readonly Row[] {
  const rows: Row[] = [...endingOf(facts)]
  // The call itself and the dock already show that it is waiting for approval.
  if (running !== null && !running.waiting)
    rows.push(
      workingRow(book.facts.get(running.interaction)?.startedAt ?? null, running.places ?? null, last),
    )
  for (const outgoing of outbox) rows.push(outgoingRow(outgoing))
  return rows
}

const outgoingRows = new WeakMap<Outgoing, Row>()

function outgoingRow(outgoing: Outgoing): Row {
  const place = { key: `outgoing ${outgoing.id}`, depth: 0, thread: null, message: null }
  const row = outgoingRows.get(outgoing) ?? { ...place, kind: 'outgoing', outgoing }
  outgoingRows.set(outgoing, row)
  return row
}

function workingRow(since: number | null, places: number | null, last: Made): Row {
  const before = last.rows.slice(last.length).find(row => row.kind === 'working')
  if (before?.since === since && before.places === places) return before
  return { key: 'working', depth: 0, thread: null, message: null, kind: 'working', since, places }
}
