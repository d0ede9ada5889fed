import type { Json } from '../../protocol/json.ts'
import { errorAfter } from '../../protocol/partial-output.ts'
import { apply, type Op } from '../kit/parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { entriesIn, getIn } from '../kit/persistent-map.ts'
import { outputSoFar, silent, write, type Live } from './live-output.ts'
import { textOf, type Fields } from '../kit/fields.ts'
import { changeThread, nativeThread, type NativeThread, type State, type Step } from './state.ts'
import { isAskable, outcomeOf, type Called } from './tool-items.ts'

/** The id of a call: the item's own, unless another thread has a call of that name. */
export function callName(state: State, threadId: string, item: string): string {
  const known = callIn(state.parts, item)
  const isOthers = known !== undefined && known.thread !== nativeThread(state, threadId).thread
  return isOthers ? `${threadId}:${item}` : item
}

/** A tool call begins. */
export function beginCall(state: State, threadId: string, item: Fields, { tool, input }: Called): Step {
  const call = callName(state, threadId, textOf(item, 'id'))
  const native = nativeThread(state, threadId)
  const begun = setLive(state, call, silent)
  return apply(begun, native, [{ type: 'call-ready', call, tool, input }])
}

/** A tool call ends, perhaps long after its turn. */
export function endCall(state: State, threadId: string, item: Fields, { tool, input }: Called): Step {
  const call = callName(state, threadId, textOf(item, 'id'))
  const ready: Op = { type: 'call-ready', call, tool, input }
  const known = callIn(state.parts, call)
  const stands = known !== undefined && isAskable(item)
  const outcome = outcomeOf(item, call, state.live.get(call))
  const picture = pictureIn(item)
  const ops = [...(stands ? [] : [ready]), outcome, ...(picture ? [picture] : [])]
  return apply(setLive(state, call, null), nativeThread(state, threadId), ops)
}

/** A running call writes output. Its beginning is often missing here; the finished item has all of it. */
export function outputDelta(state: State, params: Fields, at: number): Step {
  const threadId = textOf(params, 'threadId')
  const call = callName(state, threadId, textOf(params, 'itemId'))
  const before = state.live.get(call)
  if (before === undefined) return [state, []]
  const { live, due } = write(before, textOf(params, 'delta'), at)
  const next = setLive(state, call, live)
  return due ? showProgress(next, threadId, call, outputSoFar(live)) : [next, []]
}

/** Text was typed into a running command; the command usually repeats it in its output. */
export function typedInto(state: State, params: Fields): Step {
  const call = callName(state, textOf(params, 'threadId'), textOf(params, 'itemId'))
  const live = state.live.get(call)
  const stdin = textOf(params, 'stdin')
  if (live === undefined || stdin === '') return [state, []]
  return [setLive(state, call, { ...live, typed: [...live.typed, stdin] }), []]
}

/** A patch so far. Its paths are relative; the item that follows has absolute paths. */
export function patchSoFar(state: State, params: Fields): Step {
  const threadId = textOf(params, 'threadId')
  const call = callName(state, threadId, textOf(params, 'itemId'))
  const native = nativeThread(state, threadId)
  const input = { changes: params['changes'] ?? [] }
  if (!native.running) return [state, []]
  return apply(setLive(state, call, silent), native, [
    { type: 'call-ready', call, tool: 'fileChange', input },
  ])
}

/** The progress of a tool of an MCP server. */
export function mcpProgress(state: State, params: Fields): Step {
  const threadId = textOf(params, 'threadId')
  const call = callName(state, threadId, textOf(params, 'itemId'))
  return showProgress(state, threadId, call, { progress: textOf(params, 'message') })
}

function showProgress(state: State, threadId: string, call: string, output: Json): Step {
  if (callIn(state.parts, call) === undefined) return [state, []]
  return apply(state, nativeThread(state, threadId), [{ type: 'result', call, output, preliminary: true }])
}

/** The turn is over: its open calls end, except commands and subagents that continue in the background. */
export function endWaiting(state: State, threadId: string, finished: boolean): Step {
  const native = nativeThread(state, threadId)
  const waiting = waitingIn(state, native)
  const ops = waiting.flatMap((call): readonly Op[] => {
    const written = state.live.get(call)?.text ?? ''
    // It may have written more than was shown.
    if (!finished)
      return written === '' ? [] : [{ type: 'failure', call, error: errorAfter(written, stopped) }]
    const known = callIn(state.parts, call)
    const runsOn = known?.tool === 'commandExecution' || known?.subagent?.status === 'running'
    return runsOn ? [] : [{ type: 'failure', call, error: 'It ended without a result.' }]
  })
  const live = new Map([...state.live].filter(([call]) => finished || !waiting.includes(call)))
  const settled = changeThread({ ...state, live }, threadId, { pieces: [] })
  return apply(settled, native, ops)
}

const stopped = 'Stopped before it ended.'

function waitingIn({ parts }: State, { thread }: NativeThread): readonly string[] {
  const message = getIn(parts.threads, thread)?.message
  return message ? [...entriesIn(message.waiting)].flatMap(([call, waits]) => (waits ? [call] : [])) : []
}

function setLive(state: State, call: string, live: Live | null): State {
  const next = new Map(state.live)
  if (live === null) next.delete(call)
  else next.set(call, live)
  return { ...state, live: next }
}

const beginnings: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
  ['R0lGOD', 'image/gif'],
]

/** Shows the picture that an item generated; null if it has none. */
function pictureIn(item: Fields): Op | null {
  const base64 = textOf(item, 'type') === 'imageGeneration' ? textOf(item, 'result') : ''
  const mediaType = beginnings.find(([beginning]) => base64.startsWith(beginning))?.[1]
  if (mediaType === undefined) return null
  return { type: 'show', chunk: { type: 'file', url: `data:${mediaType};base64,${base64}`, mediaType } }
}
