import type { ProviderMetadata } from '../../protocol/chunk.ts'
import { objectOf, textOf, type Fields } from '../kit/fields.ts'
import type { Op } from '../kit/parts.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { perform } from '../kit/telling.ts'
import { changeSession, nativeSession, type Piece, type State, type Step } from './state.ts'

type Words = Exclude<Piece['kind'], 'other'>

/** A piece of text or thinking as a whole: at its beginning mostly empty, at its end complete. */
export function wordsTold(state: State, sessionID: string, part: Fields, kind: Words): Step {
  const id = textOf(part, 'id')
  const isComplete = 'end' in objectOf(part, 'time')
  const known = getIn(state.pieces, id)
  if (!isComplete) return grown(known ? state : begun(state, sessionID, id, kind), sessionID, part, kind)
  const native = nativeSession(state, sessionID)
  const open = native.open.filter(each => each !== id)
  const next = changeSession(withPiece(state, id, { kind, open: false }), sessionID, { open })
  const providerMetadata = metadataOf(part)
  const final: Op = { type: 'final', kind, key: id, text: textOf(part, 'text') }
  return perform(next, native, [providerMetadata ? { ...final, providerMetadata } : final])
}

/** A piece as it stands: some servers tell the whole again with each word. */
function grown(state: State, sessionID: string, part: Fields, kind: Words): Step {
  const text = textOf(part, 'text')
  // Only prompts have no times; this may be one of which nothing was told.
  const isPrompt = getIn(state.roles, textOf(part, 'messageID')) === undefined && !('time' in part)
  if (text === '' || isPrompt) return [state, []]
  return perform(state, nativeSession(state, sessionID), [
    { type: 'so-far', kind, key: textOf(part, 'id'), text },
  ])
}

function begun(state: State, sessionID: string, id: string, kind: Words): State {
  const { open } = nativeSession(state, sessionID)
  return changeSession(withPiece(state, id, { kind, open: true }), sessionID, { open: [...open, id] })
}

function withPiece(state: State, id: string, piece: Piece): State {
  return { ...state, pieces: setIn(state.pieces, id, piece) }
}

/** More of a piece. What comes after its end, or for a prompt, adds nothing. */
export function delta(state: State, properties: Fields): Step {
  const id = textOf(properties, 'partID')
  const piece = getIn(state.pieces, id)
  if (!piece?.open || piece.kind === 'other') return [state, []]
  const native = nativeSession(state, textOf(properties, 'sessionID'))
  if (!native.running) return [state, []]
  return perform(state, native, [{ type: piece.kind, key: id, delta: textOf(properties, 'delta') }])
}

/** What a provider says of its words, such as its own ids and encrypted thoughts. */
function metadataOf(part: Fields): ProviderMetadata | undefined {
  const metadata = objectOf(part, 'metadata')
  return Object.keys(metadata).length === 0 ? undefined : { opencode: metadata }
}

/** Takes back what a broken request to the model had begun: the next try says it anew. */
export function retractOpen(state: State, sessionID: string): Step {
  const native = nativeSession(state, sessionID)
  if (native.open.length === 0) return [state, []]
  const next = changeSession(state, sessionID, { open: [] })
  return perform(next, native, [{ type: 'retract', keys: native.open }])
}
