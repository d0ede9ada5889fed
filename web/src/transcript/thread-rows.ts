import type { Message, ToolPart } from 'dragoman'
import type { ShownMessage } from 'dragoman/client'
import type { Slot } from './message-rows.ts'
import type { Row, RowOf, ThreadState } from './row.ts'
import { wholeRows } from './whole-rows.ts'

/** A subagent's loaded messages, or why loading failed. */
export type FetchedThread =
  | 'loading'
  | { readonly problem: string }
  | { readonly messages: readonly Message[] }

/** Which subagents are open, and their messages. */
export interface ThreadBook {
  /** Messages received live. */
  readonly live: ReadonlyMap<string, readonly ShownMessage[]>
  readonly fetched: ReadonlyMap<string, FetchedThread>
  /** The user's choice; a live subagent is open unless they closed it. */
  readonly chosen: ReadonlyMap<string, boolean>
  /** Whether missing messages can be loaded. */
  readonly isLive: boolean
  /** Whether a tool call started a thread. */
  readonly isThread: (toolCall: string) => boolean
}

/** The user's choices about subagents. */
export type ThreadChoices = Pick<ThreadBook, 'fetched' | 'chosen'>

/** Nothing yet. */
export const noChoices: ThreadChoices = { fetched: new Map(), chosen: new Map() }

/** A subagent's header, followed by its messages if it is open. Subagents may be nested. */
export function threadRows(slot: Slot, depth: number, book: ThreadBook): readonly Row[] {
  const { slot: thread } = slot
  const { messages, state } = wordsOf(thread, book)
  const open = book.chosen.get(thread) ?? book.live.has(thread)
  const header = headerOf(slot, depth, open, open ? state : 'ready')
  if (!open) return [header]
  const rows: Row[] = [header]
  const last = slot.report?.status === 'running' ? messages.at(-1) : null
  for (const message of messages)
    rows.push(...messageRows(message, message === last, thread, depth + 1, book))
  rows.push(...callRow(slot, depth + 1))
  return rows
}

function messageRows(
  message: Message,
  isOpen: boolean,
  thread: string,
  depth: number,
  book: ThreadBook,
): readonly Row[] {
  const setting = { depth, thread, isOpen, validity: 'active', facts: null } as const
  // A thread that names itself as its parent would never end.
  return wholeRows(
    message,
    setting,
    call => call !== thread && book.isThread(call),
    (inner, deep) => (inner.slot === thread || deep > 100 ? [] : threadRows(inner, deep, book)),
  ).rows
}

function wordsOf(
  thread: string,
  { live, fetched, isLive }: ThreadBook,
): { readonly messages: readonly Message[]; readonly state: ThreadState } {
  const shown = live.get(thread)
  if (shown !== undefined) return { messages: shown.map(({ message }) => message), state: 'ready' }
  const found = fetched.get(thread)
  if (found === undefined || found === 'loading') return { messages: [], state: isLive ? 'loading' : 'ready' }
  if ('problem' in found) return { messages: [], state: found }
  return { messages: found.messages, state: 'ready' }
}

const headers = new WeakMap<object, RowOf<'subagent'>>()

function headerOf(
  { slot, message, thread, report, part }: Slot,
  depth: number,
  open: boolean,
  state: ThreadState,
): Row {
  const about = report ?? part
  const known = about === null ? undefined : headers.get(about)
  if (known?.open === open && known.state === state && known.part === part && known.depth === depth)
    return known
  const place = { key: `subagent ${slot}`, depth, thread, message }
  const header: RowOf<'subagent'> = { ...place, kind: 'subagent', starts: slot, report, part, open, state }
  if (about !== null) headers.set(about, header)
  return header
}

const calls = new WeakMap<ToolPart, Row>()

/** The subagent's task and answer. */
function callRow({ part, thread, message }: Slot, depth: number): readonly Row[] {
  if (part === null) return []
  const known = calls.get(part)
  if (known?.depth === depth) return [known]
  const place = { key: `call ${part.toolCallId}`, depth, thread, message }
  const row: Row = { ...place, kind: 'tool', part, shortened: null, isStart: true }
  calls.set(part, row)
  return [row]
}
