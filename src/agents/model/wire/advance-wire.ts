import type { OpenPiece, WireEvent, WireState } from './wire-event.ts'

/** The state of a response after one of its events. Pure. */
export function advanceWire(state: WireState, event: WireEvent): WireState {
  const started = state.isStarted ? state : { ...state, isStarted: true }
  const change = changes[event.type] as (state: WireState, event: WireEvent) => WireState
  return change(started, event)
}

type Changes = {
  readonly [Type in WireEvent['type']]: (
    state: WireState,
    event: Extract<WireEvent, { readonly type: Type }>,
  ) => WireState
}

const blank: OpenPiece = {
  kind: 'text',
  id: '',
  tool: '',
  input: '',
  isTheirs: false,
  hasText: false,
  seal: null,
}

const same = (state: WireState) => state

const changes: Changes = {
  text: appendText,
  thinking: appendText,
  end: (state, { key }) => closed(state, key),
  seal: (state, { key, seal }) => changed(state, key, { seal }),
  sealed: (state, { key }) => ({ ...closed(state, key), begun: state.begun + 1 }),
  call: (state, { key, id, tool, isTheirs = false }) => {
    const hasCalls = state.hasCalls || !isTheirs
    return { ...opened(state, key, { ...blank, kind: 'call', id, tool, isTheirs }), hasCalls }
  },
  'call-input': (state, { key, delta }) =>
    changed(state, key, { input: (state.open.get(key)?.input ?? '') + delta }),
  'call-so-far': (state, { key, input }) => changed(state, key, { input }),
  'call-ready': (state, { key, isTheirs = false }) => {
    const known = state.open.has(key)
    const hasCalls = state.hasCalls || !isTheirs
    return { ...closed(state, key), begun: known ? state.begun : state.begun + 1, hasCalls }
  },
  'their-result': same,
  file: same,
  source: same,
  usage: same,
  model: same,
  stop: (state, { reason, native }) => ({ ...state, stop: { reason, native } }),
  complete: state => ({ ...state, isComplete: true }),
  error: (state, { kind, message }) => ({ ...state, error: { kind, message } }),
  unknown: same,
}

function appendText(
  state: WireState,
  { type, key, delta }: Extract<WireEvent, { readonly type: 'text' | 'thinking' }>,
): WireState {
  const piece = state.open.get(key)
  if (piece === undefined) return opened(state, key, { ...blank, kind: type, hasText: delta !== '' })
  return piece.hasText || delta === '' ? state : changed(state, key, { hasText: true })
}

function opened(state: WireState, key: string, piece: OpenPiece): WireState {
  const begun = state.open.has(key) ? state.begun : state.begun + 1
  return { ...state, open: new Map(state.open).set(key, piece), begun }
}

function changed(state: WireState, key: string, change: Partial<OpenPiece>): WireState {
  const piece = state.open.get(key)
  return piece === undefined
    ? state
    : { ...state, open: new Map(state.open).set(key, { ...piece, ...change }) }
}

function closed(state: WireState, key: string): WireState {
  if (!state.open.has(key)) return state
  const open = new Map(state.open)
  open.delete(key)
  return { ...state, open }
}
