import { asObject, type Json } from '../../protocol/json.ts'
import { objectOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { apply, inOrder, type Op } from '../kit/parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { callName } from './call-name.ts'
import { askEarly } from './questions.ts'
import { changeSession, nativeSession, type State, type Step } from './state.ts'
import { linked, subagentBegins } from './subagents.ts'

/**
 * A tool call in its current state: waiting for its input, running, done or failed. The same state is sent many
 * times.
 */
export function applyTool(before: State, sessionID: string, part: Fields): Step {
  const call = callName(before, sessionID, textOf(part, 'callID'))
  const now = objectOf(part, 'state')
  const status = textOf(now, 'status')
  const id = textOf(part, 'id')
  const isOver = status !== 'pending' && status !== 'running'
  const state: State = { ...before, pieces: setIn(before.pieces, id, { kind: 'other', open: !isOver }) }
  if (status === 'pending') return pending(state, sessionID, call, textOf(part, 'tool'))
  // A provider may use the id of a call again, so the part shows whether the call has ended.
  const isKnown = getIn(before.pieces, id) !== undefined
  const ready = isKnown && hasEnded(before, call) ? [] : [readyOp(call, part, now)]
  return isOver ? ended(state, sessionID, call, ready, part) : running(state, sessionID, call, ready, now)
}

function hasEnded(state: State, call: string): boolean {
  const known = callIn(state.parts, call)?.state
  return known === 'settled' || known === 'broken'
}

/** OpenCode does not stream inputs, so a call without one only shows that the model writes it. */
function pending(state: State, sessionID: string, call: string, tool: string): Step {
  const native = nativeSession(state, sessionID)
  if (!native.running || callIn(state.parts, call)?.state === 'ready') return [state, []]
  const next = changeSession(state, sessionID, { open: [...native.open, call] })
  return apply(next, native, [{ type: 'call', call, tool }])
}

function running(state: State, sessionID: string, call: string, ready: readonly Op[], now: Fields): Step {
  const native = nativeSession(state, sessionID)
  const begun = hasInput(state, sessionID, call)
  const output = objectOf(now, 'metadata')['output'] ?? null
  const shows = output !== null && output !== '' && state.live.get(call) !== output
  const live = new Map(state.live).set(call, shows ? output : (state.live.get(call) ?? null))
  const progress: Op = { type: 'result', call, output: { output }, preliminary: true }
  const ops = [...ready, ...(shows ? [progress] : [])]
  const shown: State = { ...begun, live }
  return inOrder(
    apply(shown, native, ops),
    next => subagent(next, call, now),
    next => askEarly(next, call),
  )
}

/** The input of a call, with OpenCode's title for it while it runs. */
function readyOp(call: string, part: Fields, now: Fields): Op {
  const title = textOrNull(now, 'title')
  const isRunning = textOf(now, 'status') === 'running'
  const input = now['input'] ?? null
  const metadata = objectOf(part, 'metadata')
  return {
    type: 'call-ready',
    call,
    tool: textOf(part, 'tool'),
    input,
    ...(isRunning && title !== null && { title }),
    ...(Object.keys(metadata).length > 0 && { providerMetadata: { opencode: metadata } }),
  }
}

/** OpenCode calls every ended command done: the exit code is in the metadata of the output. */
function ended(state: State, sessionID: string, call: string, ready: readonly Op[], part: Fields): Step {
  const now = objectOf(part, 'state')
  const live = new Map([...state.live].filter(([each]) => each !== call))
  const done: State = { ...hasInput(state, sessionID, call), live }
  const error = errorIn(part, now)
  const outcome: Op =
    error === null ? { type: 'result', call, output: outputOf(now) } : { type: 'failure', call, error }
  return inOrder(
    apply(done, nativeSession(done, sessionID), ready),
    next => subagent(next, call, now),
    next => apply(next, nativeSession(next, sessionID), [outcome]),
  )
}

/** For OpenCode, calls that never ran, and commands that were stopped or timed out, are completed, too. */
function errorIn(part: Fields, now: Fields): string | null {
  if (textOf(now, 'status') === 'error') return textOf(now, 'error') || 'It failed.'
  const output = textOf(now, 'output')
  const isStopped = objectOf(now, 'metadata')['exit'] === null && output.includes('<shell_metadata>')
  return textOf(part, 'tool') === 'invalid' || isStopped ? output : null
}

function outputOf(now: Fields): Json {
  const { output = null, title = null, metadata = null, attachments } = now
  return { output, title, metadata, ...(attachments === undefined ? {} : { attachments }) }
}

function hasInput(state: State, sessionID: string, call: string): State {
  const { open } = nativeSession(state, sessionID)
  const rest = open.filter(each => each !== call)
  return rest.length === open.length ? state : changeSession(state, sessionID, { open: rest })
}

/** A call with a session in its metadata has started a subagent there. */
function subagent(state: State, call: string, now: Fields): Step {
  const child = textOf(objectOf(now, 'metadata'), 'sessionId')
  if (child === '' || child === state.main || getIn(state.sessions, child)?.placed === true)
    return [state, []]
  return subagentBegins(linked(state, child, call), call, asObject(now['input'] ?? null))
}
