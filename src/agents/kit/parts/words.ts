import type { ProviderMetadata, Thread } from '../../../protocol/chunk.ts'
import { beforeCut } from '../../../protocol/cut-text.ts'
import { getIn, setIn } from '../persistent-map.ts'
import { openStep, visit } from './messages.ts'
import type { Op } from './op.ts'
import { changeMessage, changeThread, emit, threadOf, without, type Draft, type Piece } from './state.ts'

type Kind = 'text' | 'thinking'
type Final = Extract<Op, { readonly type: 'final' }>
type SoFar = Extract<Op, { readonly type: 'so-far' }>

const wire = { text: 'text', thinking: 'reasoning' } as const
const lastWordsLimit = 280

/** Adds to a piece of text or thinking, opening it first where needed. */
export function say(draft: Draft, thread: Thread, kind: Kind, key: string, delta: string): void {
  if (delta === '') return
  const name = `${kind} ${key}`
  const message = openStep(draft, thread)
  const before = message.open.get(name)
  const piece = before ?? { kind, id: `p${message.parts}`, index: message.parts, text: '' }
  if (!before) emit(draft, thread, { type: `${wire[kind]}-start`, id: piece.id })
  emit(draft, thread, { type: `${wire[kind]}-delta`, id: piece.id, delta })
  changeMessage(draft, thread, message, {
    open: new Map(message.open).set(name, { ...piece, text: piece.text + delta }),
    parts: before ? message.parts : message.parts + 1,
  })
}

/** Shows thinking without words: an empty part that carries the seal. One that has words gets it at its end instead. */
export function sealThinking(
  draft: Draft,
  thread: Thread,
  key: string,
  providerMetadata: ProviderMetadata,
): void {
  const name = `thinking ${key}`
  const message = openStep(draft, thread)
  if (message.open.has(name)) return endWords(draft, thread, name, providerMetadata)
  if (getIn(message.said, name) !== undefined) return
  const piece: Piece = { kind: 'thinking', id: `p${message.parts}`, index: message.parts, text: '' }
  emit(draft, thread, { type: 'reasoning-start', id: piece.id })
  emit(draft, thread, { type: 'reasoning-end', id: piece.id, providerMetadata })
  changeMessage(draft, thread, message, {
    said: setIn(message.said, name, piece),
    parts: message.parts + 1,
  })
}

/** Ends an open piece of text or thinking; what is not open is left alone. */
export function endWords(
  draft: Draft,
  thread: Thread,
  name: string,
  providerMetadata: ProviderMetadata | undefined,
): void {
  const { message } = threadOf(draft, thread)
  const piece = message?.open.get(name)
  if (!message || !piece || piece.kind === 'call') return
  const extra = providerMetadata && { providerMetadata }
  emit(draft, thread, { type: `${wire[piece.kind]}-end`, id: piece.id, ...extra })
  changeMessage(draft, thread, message, {
    open: without(message.open, name),
    said: setIn(message.said, name, piece),
  })
  if (piece.kind === 'text') changeThread(draft, thread, { lastWords: ending(piece.text) })
}

function ending(text: string): string {
  return text.length <= lastWordsLimit ? text : `…${text.slice(-lastWordsLimit)}`
}

/** Completes a piece to its final version: adds the rest, nothing twice, and retracts it if it differs. */
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
    say(draft, thread, kind, key, rest ?? text)
    endWords(draft, thread, name, providerMetadata)
    remember(draft, thread, name, text)
  }
  if (streamed) visit(draft, thread, add)
  else add()
}

/** Makes a piece say what it says so far. One that was closed stays so: it is settled, again and again. */
export function growWords(
  draft: Draft,
  thread: Thread,
  { kind, key, text }: SoFar,
  retract: (name: string) => void,
): void {
  const name = `${kind} ${key}`
  const open = threadOf(draft, thread).message?.open.get(name)
  const streamed = streamedAs(draft, thread, name)
  if (!open && streamed) return settleWords(draft, thread, { type: 'final', kind, key, text }, retract)
  const rest = streamed ? restOf(streamed.text, text) : text
  if (rest === null) retract(name)
  say(draft, thread, kind, key, rest ?? text)
}

function streamedAs(draft: Draft, thread: Thread, name: string): Piece | undefined {
  const { message, last } = threadOf(draft, thread)
  const current = message ?? last
  return current?.open.get(name) ?? (current && getIn(current.said, name)) ?? undefined
}

/** What a final version adds to the streamed text; null if it differs. */
function restOf(streamed: string, whole: string): string | null {
  if (whole.startsWith(streamed)) return whole.slice(streamed.length)
  // A message that was cut repeats only the beginning of what was streamed.
  const beginning = beforeCut(whole)
  if (beginning !== null && streamed.startsWith(beginning)) return ''
  return streamed.startsWith(whole) || streamed.trim() === whole.trim() ? '' : null
}

function remember(draft: Draft, thread: Thread, name: string, text: string): void {
  const { message } = threadOf(draft, thread)
  const piece = message && getIn(message.said, name)
  if (message && piece)
    changeMessage(draft, thread, message, { said: setIn(message.said, name, { ...piece, text }) })
}
