import type { Thread } from '../../../protocol/chunk.ts'
import { getIn, setIn } from '../persistent-map.ts'
import { breakCall, failCall } from './calls.ts'
import { show, visit } from './messages.ts'
import { callOf, changeCall, changeMessage, threadOf, type Draft } from './state.ts'
import { endWords } from './words.ts'

interface Found {
  readonly name: string
  readonly kind: 'words' | 'call'
  readonly id: string
  readonly index: number
}

/** Takes back pieces and calls of the message in hand: they are closed, and named with their places. */
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

/** Takes back one piece of text or thinking. */
export function retractPiece(draft: Draft, thread: Thread, name: string): void {
  takeAllBack(draft, thread, findPiece(draft, thread, name))
}

function findPiece(draft: Draft, thread: Thread, name: string): readonly Found[] {
  const { message, last } = threadOf(draft, thread)
  const current = message ?? last
  const piece = current?.open.get(name) ?? (current && getIn(current.said, name))
  return piece ? [{ name, kind: 'words', id: piece.id, index: piece.index }] : []
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
  if (kind === 'words') {
    endWords(draft, thread, name, undefined)
    const { message } = threadOf(draft, thread)
    if (message) changeMessage(draft, thread, message, { said: setIn(message.said, name, null) })
    return
  }
  breakCall(draft, thread, id, takenBack)
  failCall(draft, thread, id, takenBack)
  const call = callOf(draft, id)
  if (call) changeCall(draft, id, { ...call, state: 'broken' })
}

const takenBack = 'The agent took this call back.'
