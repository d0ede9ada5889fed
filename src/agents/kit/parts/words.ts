import type { ProviderMetadata, Thread } from '../../../protocol/chunk.ts'
import { beforeCut } from '../../../protocol/cut-text.ts'
import { getIn, setIn } from '../persistent-map.ts'
import { openStep, visit } from './messages.ts'
import type { Op } from './op.ts'
import {
  changeMessage,
  changeThread,
  emit,
  grow,
  openIn,
  openPiece,
  threadOf,
  withoutPiece,
  withPiece,
  type Draft,
  type Piece,
} from './state.ts'

type Kind = 'text' | 'thinking'
type Final = Extract<Op, { readonly type: 'final' }>
type SoFar = Extract<Op, { readonly type: 'so-far' }>

const wire = { text: 'text', thinking: 'reasoning' } as const
const lastWordsLimit = 280

/** Adds to a piece of text or thinking, and opens it first if needed. */
export function addText(draft: Draft, thread: Thread, kind: Kind, key: string, delta: string): void {
  if (delta === '') return
  const name = `${kind} ${key}`
  const message = openStep(draft, thread)
  if (openPiece(message, name) === undefined) {
    const piece = { kind, id: `p${message.parts}`, index: message.parts, text: '' }
    emit(draft, thread, { type: `${wire[kind]}-start`, id: piece.id })
    const open = withPiece(message.open, name, piece)
    changeMessage(draft, thread, message, { open, parts: message.parts + 1 })
  }
  grow(draft, thread, name, delta)
}

/** Shows thinking without text: an empty part with the provider's signature. Open thinking is ended with the signature instead. */
export function sealThinking(
  draft: Draft,
  thread: Thread,
  key: string,
  providerMetadata: ProviderMetadata,
): void {
  const name = `thinking ${key}`
  const message = openStep(draft, thread)
  if (openPiece(message, name) !== undefined) return endWords(draft, thread, name, providerMetadata)
  if (getIn(message.closed, name) !== undefined) return
  const piece: Piece = { kind: 'thinking', id: `p${message.parts}`, index: message.parts, text: '' }
  emit(draft, thread, { type: 'reasoning-start', id: piece.id })
  emit(draft, thread, { type: 'reasoning-end', id: piece.id, providerMetadata })
  changeMessage(draft, thread, message, {
    closed: setIn(message.closed, name, piece),
    parts: message.parts + 1,
  })
}

/** Ends a piece of text or thinking if it is open. */
export function endWords(
  draft: Draft,
  thread: Thread,
  name: string,
  providerMetadata: ProviderMetadata | undefined,
): void {
  const { message } = threadOf(draft, thread)
  const piece = message && openPiece(message, name)
  if (!message || !piece || piece.kind === 'call') return
  const extra = providerMetadata && { providerMetadata }
  emit(draft, thread, { type: `${wire[piece.kind]}-end`, id: piece.id, ...extra })
  changeMessage(draft, thread, message, {
    open: withoutPiece(message.open, name),
    closed: setIn(message.closed, name, piece),
  })
  if (piece.kind === 'text') changeThread(draft, thread, { lastWords: ending(piece.text) })
}

function ending(text: string): string {
  return text.length <= lastWordsLimit ? text : `…${text.slice(-lastWordsLimit)}`
}

/** Completes a piece: adds only the missing rest, or retracts it and starts again if it differs. */
export function settleWords(
  draft: Draft,
  thread: Thread,
  { kind, key, text, providerMetadata }: Final,
  retract: (name: string) => void,
): void {
  const name = `${kind} ${key}`
  const streamed = streamedAs(draft, thread, name)
  const rest = streamed ? restOf(streamed.text, text) : text
  if (rest === '') return endWords(draft, thread, name, providerMetadata)
  const add = () => {
    if (rest === null) retract(name)
    addText(draft, thread, kind, key, rest ?? text)
    endWords(draft, thread, name, providerMetadata)
    remember(draft, thread, name, text)
  }
  if (streamed) visit(draft, thread, add)
  else add()
}

/** Brings a piece to its text so far. A closed piece stays closed, and is completed again each time. */
export function growWords(
  draft: Draft,
  thread: Thread,
  { kind, key, text }: SoFar,
  retract: (name: string) => void,
): void {
  const name = `${kind} ${key}`
  const open = openIn(draft, thread, name)
  const streamed = streamedAs(draft, thread, name)
  if (!open && streamed) return settleWords(draft, thread, { type: 'final', kind, key, text }, retract)
  const rest = streamed ? restOf(streamed.text, text) : text
  if (rest === null) retract(name)
  addText(draft, thread, kind, key, rest ?? text)
}

function streamedAs(draft: Draft, thread: Thread, name: string): Piece | undefined {
  const { message, last } = threadOf(draft, thread)
  const current = message ?? last
  return (current && openPiece(current, name)) ?? (current && getIn(current.closed, name)) ?? undefined
}

/** What the final text adds to the streamed text; null if it differs. */
function restOf(streamed: string, whole: string): string | null {
  if (whole.startsWith(streamed)) return whole.slice(streamed.length)
  // A message that was cut repeats only the beginning of what was streamed.
  const beginning = beforeCut(whole)
  if (beginning !== null && streamed.startsWith(beginning)) return ''
  return streamed.startsWith(whole) || streamed.trim() === whole.trim() ? '' : null
}

function remember(draft: Draft, thread: Thread, name: string, text: string): void {
  const { message } = threadOf(draft, thread)
  const piece = message && getIn(message.closed, name)
  if (message && piece)
    changeMessage(draft, thread, message, { closed: setIn(message.closed, name, { ...piece, text }) })
}
