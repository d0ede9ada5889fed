import type { Op } from '../../kit/parts.ts'
import { getIn, setIn } from '../../kit/persistent-map.ts'
import { listOf, objectOf, textIn, textOf, type JsonObject } from '../messages.ts'
import { showBlock } from './blocks.ts'
import { closeDenied } from './denials.ts'
import { notify } from './notices.ts'
import { change, isAnswering, say, type Draft, type Piece } from './state.ts'
import { withStep } from './usage.ts'

type Kind = Piece['kind']

/** Hears a piece of text or thinking: more of the one before, or the beginning of another. */
export function hearWords(draft: Draft, kind: Kind, update: JsonObject): void {
  const block = objectOf(update['content'])
  const { type, text } = block
  if (type !== 'text' || typeof text !== 'string') return hearBlock(draft, kind, block)
  if (text === '') return hearSilence(draft, update)
  if (isModeChange(draft, text)) return notify(draft, 'info', 'mode-changed', text)
  speak(draft, kind, textOf(update['messageId']) ?? null, text)
}

function speak(draft: Draft, kind: Kind, id: string | null, text: string): void {
  if (draft.state.denied.length > 0) closeDenied(draft)
  if (!isAnswering(draft.state)) return speakUnasked(draft, kind, id, text)
  const { piece, peer } = draft.state
  const goesOn = piece?.kind === kind && piece.id === id && !piece.stray && !isWholeThought(peer, kind)
  const spoken = goesOn ? { ...piece, text: piece.text + text } : newPiece(draft, kind, id, text)
  say(draft, [{ type: kind, key: spoken.key, delta: text }])
  change(draft, { piece: spoken })
}

/** Gemini CLI tells a change of its mode as if the model had said it. */
function isModeChange({ state }: Draft, text: string): boolean {
  return state.peer === 'gemini-cli' && /^\[MODE_UPDATE\] \S+$/.test(text)
}

/** Gemini CLI sends each thought whole; joined, they would run into each other. */
function isWholeThought(peer: string | null, kind: Kind): boolean {
  return kind === 'thinking' && peer === 'gemini-cli'
}

function newPiece(draft: Draft, kind: Kind, id: string | null, text: string): Piece {
  endPiece(draft)
  const pieces = draft.state.pieces + 1
  change(draft, { pieces })
  return { kind, id, key: String(pieces), text, stray: false }
}

/** Ends the text or thinking at hand, if any: what follows does not continue it. */
export function endPiece(draft: Draft): void {
  const { piece } = draft.state
  if (piece === null) return
  // Outside of an answer nothing is open; what is told later finds the piece by its key.
  if (!piece.stray) say(draft, [{ type: 'end', key: piece.key }])
  remember(draft, piece)
  change(draft, { piece: null })
}

function remember(draft: Draft, { kind, id, key, text }: Piece): void {
  if (id === null) return
  const name = `${kind} ${id}`
  const before = getIn(draft.state.said, name) ?? { keys: [], text: '' }
  const said = { keys: [...before.keys, key], text: before.text + text }
  change(draft, { said: setIn(draft.state.said, name, said) })
}

/** Hears words outside of any answer: the tail of the last one, or an answer of their own that is over at once. */
function speakUnasked(draft: Draft, kind: Kind, id: string | null, text: string): void {
  const { piece } = draft.state
  const goesOn = piece?.kind === kind && piece.id === id && (id !== null || piece.stray)
  if (goesOn) {
    const spoken = { ...piece, text: piece.text + text }
    say(draft, [{ type: 'final', kind, key: piece.key, text: spoken.text }])
    return change(draft, { piece: spoken })
  }
  const pieces = draft.state.pieces + 1
  change(draft, { pieces, piece: { kind, id, key: String(pieces), text, stray: true } })
  say(draft, [{ type: kind, key: String(pieces), delta: text }])
}

/** An empty text ends a request to the model; Qwen Code tells with it what the request took. */
function hearSilence(draft: Draft, update: JsonObject): void {
  const usage = objectOf(update['_meta'])['usage']
  if (usage === undefined) return
  endPiece(draft)
  change(draft, { usage: withStep(draft.state.usage, objectOf(usage)) })
}

function hearBlock(draft: Draft, kind: Kind, block: JsonObject): void {
  endPiece(draft)
  say(draft, [showBlock(draft.state, kind, block)])
}

/** Hears a message told as a whole: it replaces what was said of it before, and only what differs is told. */
export function hearWholeWords(draft: Draft, kind: Kind, update: JsonObject): void {
  const id = textOf(update['messageId'])
  if (id === undefined || update['content'] === undefined) return
  const blocks = listOf(update['content'])
  const text = textIn(blocks)
  const before = soFar(draft, kind, id)
  if (text.startsWith(before.text)) {
    const rest = text.slice(before.text.length)
    if (rest !== '') speak(draft, kind, id, rest)
  } else {
    takeBack(draft, kind, id, before.keys)
    if (text !== '') speak(draft, kind, id, text)
  }
  for (const block of blocks.map(objectOf)) if (block['type'] !== 'text') hearBlock(draft, kind, block)
}

function soFar({ state }: Draft, kind: Kind, id: string): { readonly keys: readonly string[]; text: string } {
  const said = getIn(state.said, `${kind} ${id}`) ?? { keys: [], text: '' }
  const { piece } = state
  if (piece?.kind !== kind || piece.id !== id) return said
  return { keys: [...said.keys, piece.key], text: said.text + piece.text }
}

function takeBack(draft: Draft, kind: Kind, id: string, keys: readonly string[]): void {
  const retract: Op = { type: 'retract', keys }
  say(draft, [retract])
  const { piece, said } = draft.state
  change(draft, {
    said: setIn(said, `${kind} ${id}`, { keys: [], text: '' }),
    piece: piece?.kind === kind && piece.id === id ? null : piece,
  })
}
