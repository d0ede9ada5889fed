import { asObject } from '../../protocol/json.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { RawMessage, Translation } from '../agent.ts'
import { deniedApproval, isPause, ownLineIn } from '../importer.ts'
import { objectOf, textOf, type Fields } from '../kit/fields.ts'
import { build } from '../kit/parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { entriesIn, getIn } from '../kit/persistent-map.ts'
import { parseJson } from '../kit/parse-json.ts'
import { changeSession, nativeSession, type State, type Step, type Trouble } from './state.ts'
import { initial, translate } from './translate.ts'
import { atWork, idle, troubleIn } from './turns.ts'

/** The state of a stored session. Immutable. */
export interface TranscriptState {
  /** The state that live events need, too: stored data has their shape. */
  readonly live: State
  /** The sessions whose answers may continue where reading paused. */
  readonly paused: ReadonlySet<string>
  /** The prompts so far. */
  readonly asked: ReadonlySet<string>
  /** Why the newest answer of a session did not end normally. */
  readonly troubles: ReadonlyMap<string, Trouble>
}

/** The state before the first line of a stored session. */
export const initialTranscript = (connection: ConnectionId): TranscriptState => ({
  live: initial(connection),
  paused: new Set(),
  asked: new Set(),
  troubles: new Map(),
})

/** OpenCode's stored data as chunks: the content of its events, without those about a session's work. */
export function translateTranscript(state: TranscriptState, raw: RawMessage): Translation<TranscriptState> {
  if (isPause(raw)) return paused(state)
  const own = ownLineIn(raw)
  if (own?.dragoman === 'denied') return askedBefore(state, own.call)
  const event = asObject(parseJson(raw.text))
  const properties = objectOf(event, 'properties')
  const info = objectOf(properties, 'info')
  if (textOf(info, 'role') === 'user') return asked(state, info, raw)
  const part = objectOf(properties, 'part')
  if (textOf(info, 'role') === 'assistant') return answered(state, event, info, raw)
  const isAnswers = getIn(state.live.roles, textOf(part, 'messageID')) === 'assistant'
  return isAnswers ? andThen(goOn(state, textOf(part, 'sessionID')), raw) : pass(state, raw)
}

/** A person denied a call, so it had asked. */
function askedBefore(state: TranscriptState, call: string): Translation<TranscriptState> {
  const known = callIn(state.live.parts, call)
  if (known === undefined) return [state, []]
  const [parts, chunks] = build(
    state.live.parts,
    [{ type: 'ask', call, approval: deniedApproval(call) }],
    known.thread,
  )
  return [{ ...state, live: { ...state.live, parts } }, chunks]
}

/** A message is stored with its end, which comes after its parts. */
function answered(
  before: TranscriptState,
  event: Fields,
  info: Fields,
  raw: RawMessage,
): Translation<TranscriptState> {
  const session = textOf(info, 'sessionID')
  const state = withEnd(before, session, info)
  const { error: _, ...step } = info
  const text = JSON.stringify({ ...event, properties: { ...objectOf(event, 'properties'), info: step } })
  return andThen(goOn(state, session), { ...raw, text })
}

function pass(state: TranscriptState, raw: RawMessage): Translation<TranscriptState> {
  const [live, chunks] = translate(state.live, { ...raw, from: 'agent' })
  return [{ ...state, live }, chunks]
}

function andThen(
  [state, first]: Translation<TranscriptState>,
  raw: RawMessage,
): Translation<TranscriptState> {
  const [next, chunks] = pass(state, raw)
  return [next, [...first, ...chunks]]
}

function withEnd(state: TranscriptState, session: string, info: Fields): TranscriptState {
  const troubles = new Map(state.troubles)
  if ('error' in info) troubles.set(session, troubleIn(objectOf(info, 'error')))
  else if ('completed' in objectOf(info, 'time')) troubles.delete(session)
  else troubles.set(session, { name: 'MessageAbortedError', message: 'It was not finished.' })
  return { ...state, troubles }
}

/** A prompt is stored once and changed later; it counts once. */
function asked(state: TranscriptState, info: Fields, raw: RawMessage): Translation<TranscriptState> {
  const [id, session] = [textOf(info, 'id'), textOf(info, 'sessionID')]
  if (state.asked.has(id)) return [state, []]
  const [live, chunks] = idle(troubled(state, state.live, session), { sessionID: session })
  const rest = new Set([...state.paused].filter(each => each !== session))
  const known = new Set(state.asked).add(id)
  return andThen([{ ...state, live, paused: rest, asked: known }, chunks], raw)
}

/** An answer continues, or begins. */
function goOn(state: TranscriptState, session: string): Translation<TranscriptState> {
  const native = nativeSession(state.live, session)
  if (native.running) return [state, []]
  if (!state.paused.has(session)) return withLive(state, atWork(state.live, session))
  const rest = new Set([...state.paused].filter(each => each !== session))
  const [parts, chunks] = build(state.live.parts, [{ type: 'resume' }], native.thread)
  const live = changeSession({ ...state.live, parts }, session, { running: true })
  return [{ ...state, live, paused: rest }, chunks]
}

const withLive = (state: TranscriptState, [live, chunks]: Step): Translation<TranscriptState> => [
  { ...state, live },
  chunks,
]

function paused(state: TranscriptState): Translation<TranscriptState> {
  const running = [...entriesIn(state.live.sessions).values()]
    .filter(session => session.running)
    .map(({ id }) => id)
  let step: Step = [state.live, []]
  // A subagent ends before the one that waits for it.
  for (const id of running.toReversed()) {
    const [live, chunks] = step
    const [next, more] = idle(troubled(state, live, id), { sessionID: id })
    step = [next, [...chunks, ...more]]
  }
  return withLive({ ...state, paused: new Set([...state.paused, ...running]) }, step)
}

function troubled({ troubles }: TranscriptState, live: State, session: string): State {
  const error = troubles.get(session)
  return error === undefined ? live : changeSession(live, session, { error })
}
