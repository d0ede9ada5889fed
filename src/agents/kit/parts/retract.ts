import type { Thread } from '../../../protocol/chunk.ts'
import { getIn, setIn } from '../persistent-map.ts'
import { breakCall, failCall } from './calls.ts'
import { show, visit } from './messages.ts'
import { callOf, changeCall, changeMessage, openPiece, threadOf, type Draft } from './state.ts'
import { endWords } from './words.ts'

interface Found {
  readonly name: string
  readonly kind: 'text' | 'call'
  readonly id: string
  readonly index: number
}

/** Retracts pieces and calls of the current message: closes them, and reports their ids and positions. */
export function retract(draft: Draft, thread: Thread, keys: readonly string[]): void {
  takeAllBack(
    draft,
    thread,
    keys.flatMap(key => [
      ...findPiece(draft, thread, `text ${key}`),
      ...findPiece(draft, thread, `thinking ${key}`),
      ...findCall(draft, thread, key),
    ]),
  )
}

/** Retracts one piece of text or thinking. */
export function retractPiece(draft: Draft, thread: Thread, name: string): void {
  takeAllBack(draft, thread, findPiece(draft, thread, name))
}

function findPiece(draft: Draft, thread: Thread, name: string): readonly Found[] {
  const { message, last } = threadOf(draft, thread)
  const current = message ?? last
  const piece = (current && openPiece(current, name)) ?? (current && getIn(current.closed, name))
  return piece ? [{ name, kind: 'text', id: piece.id, index: piece.index }] : []
}

function findCall(draft: Draft, thread: Thread, id: string): readonly Found[] {
  const { message, last } = threadOf(draft, thread)
  const call = callOf(draft, id)
  if (!call || call.thread !== thread || call.message !== (message ?? last)?.id) return []
  return [{ name: `call ${id}`, kind: 'call', id, index: call.index }]
}

function takeAllBack(draft: Draft, thread: Thread, found: readonly Found[]): void {
  if (found.length === 0) return
  visit(draft, thread, () => {
    for (const each of found) takeBack(draft, thread, each)
    const data = { ids: found.map(({ id }) => id), indexes: found.map(({ index }) => index) }
    show(draft, thread, { type: 'data-retracted', data })
  })
}

function takeBack(draft: Draft, thread: Thread, { name, kind, id }: Found): void {
  if (kind === 'text') {
    endWords(draft, thread, name, undefined)
    const { message } = threadOf(draft, thread)
    if (message) changeMessage(draft, thread, message, { closed: setIn(message.closed, name, null) })
    return
  }
  breakCall(draft, thread, id, takenBack)
  failCall(draft, thread, id, takenBack)
  const call = callOf(draft, id)
  if (call) changeCall(draft, id, { ...call, state: 'broken' })
}

const takenBack = 'The agent took this call back.'
