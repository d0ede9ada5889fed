import type { ProviderMetadata } from '../../protocol/chunk.ts'
import { objectOf, textOf, type Fields } from '../kit/fields.ts'
import { apply, type Op } from '../kit/parts.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { changeSession, nativeSession, type Piece, type State, type Step } from './state.ts'

type TextKind = Exclude<Piece['kind'], 'other'>

/** A whole text or thinking part: at its beginning mostly empty, at its end complete. */
export function applyTextPart(state: State, sessionID: string, part: Fields, kind: TextKind): Step {
  const id = textOf(part, 'id')
  const isComplete = 'end' in objectOf(part, 'time')
  const known = getIn(state.pieces, id)
  if (!isComplete) return grown(known ? state : begun(state, sessionID, id, kind), sessionID, part, kind)
  const native = nativeSession(state, sessionID)
  const open = native.open.filter(each => each !== id)
  const next = changeSession(withPiece(state, id, { kind, open: false }), sessionID, { open })
  const providerMetadata = metadataOf(part)
  const final: Op = { type: 'final', kind, key: id, text: textOf(part, 'text') }
  return apply(next, native, [providerMetadata ? { ...final, providerMetadata } : final])
}

/** A part as a snapshot: some servers send the whole part again with each delta. */
function grown(state: State, sessionID: string, part: Fields, kind: TextKind): Step {
  const text = textOf(part, 'text')
  // Only prompts have no times; this may be one without any earlier event.
  const isPrompt = getIn(state.roles, textOf(part, 'messageID')) === undefined && !('time' in part)
  if (text === '' || isPrompt) return [state, []]
  return apply(state, nativeSession(state, sessionID), [
    { type: 'so-far', kind, key: textOf(part, 'id'), text },
  ])
}

function begun(state: State, sessionID: string, id: string, kind: TextKind): State {
  const { open } = nativeSession(state, sessionID)
  return changeSession(withPiece(state, id, { kind, open: true }), sessionID, { open: [...open, id] })
}

function withPiece(state: State, id: string, piece: Piece): State {
  return { ...state, pieces: setIn(state.pieces, id, piece) }
}

/** A delta of a part. After its end, or for a prompt, it adds nothing. */
export function delta(state: State, properties: Fields): Step {
  const id = textOf(properties, 'partID')
  const piece = getIn(state.pieces, id)
  if (!piece?.open || piece.kind === 'other') return [state, []]
  const native = nativeSession(state, textOf(properties, 'sessionID'))
  if (!native.running) return [state, []]
  return apply(state, native, [{ type: piece.kind, key: id, delta: textOf(properties, 'delta') }])
}

/** Provider metadata of a text, such as ids and encrypted thoughts. */
function metadataOf(part: Fields): ProviderMetadata | undefined {
  const metadata = objectOf(part, 'metadata')
  return Object.keys(metadata).length === 0 ? undefined : { opencode: metadata }
}

/** Retracts the parts of a failed request to the model: the next try sends them again. */
export function retractOpen(state: State, sessionID: string): Step {
  const native = nativeSession(state, sessionID)
  if (native.open.length === 0) return [state, []]
  const next = changeSession(state, sessionID, { open: [] })
  return apply(next, native, [{ type: 'retract', keys: native.open }])
}
