import type { Op } from '../../kit/parts.ts'
import { getIn, setIn } from '../../kit/persistent-map.ts'
import { listOf, objectOf, textIn, textOf, type JsonObject } from '../messages.ts'
import { showBlock } from './blocks.ts'
import { closeDenied } from './denials.ts'
import { notify } from './notices.ts'
import { change, isAnswering, emit, type Draft, type Piece } from './state.ts'
import { withStep } from './usage.ts'

type Kind = Piece['kind']

/** Applies a piece of text or thinking: it continues the current part or begins another. */
export function applyText(draft: Draft, kind: Kind, update: JsonObject): void {
  const block = objectOf(update['content'])
  const { type, text } = block
  if (type !== 'text' || typeof text !== 'string') return applyBlock(draft, kind, block)
  if (text === '') return applyEmptyText(draft, update)
  if (isModeChange(draft, text)) return notify(draft, 'info', 'mode-changed', text)
  addText(draft, kind, textOf(update['messageId']) ?? null, text)
}

function addText(draft: Draft, kind: Kind, id: string | null, text: string): void {
  if (draft.state.denied.length > 0) closeDenied(draft)
  if (!isAnswering(draft.state)) return addUnasked(draft, kind, id, text)
  const { piece, peer } = draft.state
  const goesOn = piece?.kind === kind && piece.id === id && !piece.stray && !isWholeThought(peer, kind)
  const spoken = goesOn ? { ...piece, text: piece.text + text } : newPiece(draft, kind, id, text)
  emit(draft, [{ type: kind, key: spoken.key, delta: text }])
  change(draft, { piece: spoken })
}

/** Gemini CLI sends a change of its mode as text of the model. */
function isModeChange({ state }: Draft, text: string): boolean {
  return state.peer === 'gemini-cli' && /^\[MODE_UPDATE\] \S+$/.test(text)
}

/** Gemini CLI sends each thought whole; joined, they would run together. */
function isWholeThought(peer: string | null, kind: Kind): boolean {
  return kind === 'thinking' && peer === 'gemini-cli'
}

function newPiece(draft: Draft, kind: Kind, id: string | null, text: string): Piece {
  endPiece(draft)
  const pieces = draft.state.pieces + 1
  change(draft, { pieces })
  return { kind, id, key: String(pieces), text, stray: false }
}

/** Ends the current text or thinking, if any. */
export function endPiece(draft: Draft): void {
  const { piece } = draft.state
  if (piece === null) return
  // Outside of an answer nothing is open; later pieces find the part by its key.
  if (!piece.stray) emit(draft, [{ type: 'end', key: piece.key }])
  remember(draft, piece)
  change(draft, { piece: null })
}

function remember(draft: Draft, { kind, id, key, text }: Piece): void {
  if (id === null) return
  const name = `${kind} ${id}`
  const before = getIn(draft.state.earlier, name) ?? { keys: [], text: '' }
  const earlier = { keys: [...before.keys, key], text: before.text + text }
  change(draft, { earlier: setIn(draft.state.earlier, name, earlier) })
}

/** Applies text outside of any answer: it continues the last answer, or is a new answer that ends at once. */
function addUnasked(draft: Draft, kind: Kind, id: string | null, text: string): void {
  const { piece } = draft.state
  const goesOn = piece?.kind === kind && piece.id === id && (id !== null || piece.stray)
  if (goesOn) {
    const spoken = { ...piece, text: piece.text + text }
    emit(draft, [{ type: 'final', kind, key: piece.key, text: spoken.text }])
    return change(draft, { piece: spoken })
  }
  const pieces = draft.state.pieces + 1
  change(draft, { pieces, piece: { kind, id, key: String(pieces), text, stray: true } })
  emit(draft, [{ type: kind, key: String(pieces), delta: text }])
}

/** An empty text ends a request to the model; Qwen Code sends the usage of the request with it. */
function applyEmptyText(draft: Draft, update: JsonObject): void {
  const usage = objectOf(update['_meta'])['usage']
  if (usage === undefined) return
  endPiece(draft)
  change(draft, { usage: withStep(draft.state.usage, objectOf(usage)) })
}

function applyBlock(draft: Draft, kind: Kind, block: JsonObject): void {
  endPiece(draft)
  emit(draft, [showBlock(draft.state, kind, block)])
}

/** Applies a whole message: it replaces earlier pieces of the same message, and only the difference is emitted. */
export function applyWholeText(draft: Draft, kind: Kind, update: JsonObject): void {
  const id = textOf(update['messageId'])
  if (id === undefined || update['content'] === undefined) return
  const blocks = listOf(update['content'])
  const text = textIn(blocks)
  const before = soFar(draft, kind, id)
  if (text.startsWith(before.text)) {
    const rest = text.slice(before.text.length)
    if (rest !== '') addText(draft, kind, id, rest)
  } else {
    takeBack(draft, kind, id, before.keys)
    if (text !== '') addText(draft, kind, id, text)
  }
  for (const block of blocks.map(objectOf)) if (block['type'] !== 'text') applyBlock(draft, kind, block)
}

function soFar({ state }: Draft, kind: Kind, id: string): { readonly keys: readonly string[]; text: string } {
  const earlier = getIn(state.earlier, `${kind} ${id}`) ?? { keys: [], text: '' }
  const { piece } = state
  if (piece?.kind !== kind || piece.id !== id) return earlier
  return { keys: [...earlier.keys, piece.key], text: earlier.text + piece.text }
}

function takeBack(draft: Draft, kind: Kind, id: string, keys: readonly string[]): void {
  const retract: Op = { type: 'retract', keys }
  emit(draft, [retract])
  const { piece, earlier } = draft.state
  change(draft, {
    earlier: setIn(earlier, `${kind} ${id}`, { keys: [], text: '' }),
    piece: piece?.kind === kind && piece.id === id ? null : piece,
  })
}
