import type { ConnectionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { RawMessage } from '../agent.ts'
import { numberOf, objectOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { nothingShown } from '../kit/known-fields.ts'
import { emptyMap } from '../kit/persistent-map.ts'
import { initialParts, notice, remark, withStrange } from '../kit/parts.ts'
import { noticeOf, readJson, unknownOf } from '../kit/parse-json.ts'
import { execLines, lines } from './known-fields.ts'
import { mcpProgress, outputDelta, patchSoFar, typedInto } from './calls.ts'
import { execMeaning } from './exec-lines.ts'
import { rawItem } from './hidden-calls.ts'
import { itemCompleted, itemStarted } from './items.ts'
import { notices, silentKinds } from './notices.ts'
import { asked, asksPerson, withHostLine, requestResolved } from './requests.ts'
import { settingsUpdated, threadStarted, threadOpened } from './session.ts'
import { threadAt, type State, type Step } from './state.ts'
import { diffUpdated, errorReported, planUpdated, tokenUsage, turnCompleted, turnStarted } from './turns.ts'
import { summaryDelta, summaryPart, textDelta, thinkingDelta } from './words.ts'

const agent = 'codex'

/** The state before the app-server's first line. */
export const initial = (connection: ConnectionId): State => ({
  parts: initialParts(agent, connection),
  shown: nothingShown,
  main: null,
  threads: emptyMap(),
  spawning: [],
  live: new Map(),
  asked: new Map(),
  hidden: new Map(),
  exec: { runs: 0, trouble: null },
})

type Meaning = (state: State, params: Fields, at: number, raw: RawMessage) => Step

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['item/agentMessage/delta', textDelta],
  ['item/plan/delta', textDelta],
  ['item/reasoning/summaryTextDelta', summaryDelta],
  ['item/reasoning/textDelta', thinkingDelta],
  ['item/reasoning/summaryPartAdded', summaryPart],
  ['item/commandExecution/outputDelta', outputDelta],
  ['item/fileChange/outputDelta', outputDelta],
  ['item/commandExecution/terminalInteraction', typedInto],
  ['item/fileChange/patchUpdated', patchSoFar],
  ['item/mcpToolCall/progress', mcpProgress],
  ['item/started', itemStarted],
  ['item/completed', itemCompleted],
  ['rawResponseItem/completed', rawItem],
  ['turn/started', turnStarted],
  ['turn/completed', turnCompleted],
  ['turn/plan/updated', planUpdated],
  ['turn/diff/updated', diffUpdated],
  ['thread/tokenUsage/updated', (state, params) => tokenUsage(state, params)],
  ['thread/started', threadStarted],
  ['thread/settings/updated', settingsUpdated],
  ['serverRequest/resolved', requestResolved],
  ['error', errorReported],
])

/**
 * A line of the app-server: JSON-RPC without its version. Only the envelope is read here. The parameters are read field by
 * field where they are needed, so that unknown kinds and fields do no harm.
 */
type Message =
  | {
      readonly type: 'notification'
      readonly method: string
      readonly params: Fields
      /** The time in milliseconds of the app-server's clock; 0 if the line has none. */
      readonly at: number
    }
  | { readonly type: 'request'; readonly id: Json; readonly method: string; readonly params: Fields }
  | { readonly type: 'answer'; readonly result: Fields }
  | { readonly type: 'refusal'; readonly message: string }
  | { readonly type: 'unknown' }

const unknown: Message = { type: 'unknown' }

/** Reads the envelope of a line. */
function readMessage(value: Fields): Message {
  const { method, id } = value
  if (typeof method === 'string') {
    const params = objectOf(value, 'params')
    if (id === undefined) return { type: 'notification', method, params, at: numberOf(value, 'emittedAtMs') }
    return { type: 'request', id, method, params }
  }
  if (id === undefined) return unknown
  if ('error' in value) return { type: 'refusal', message: textOf(objectOf(value, 'error'), 'message') }
  return { type: 'answer', result: objectOf(value, 'result') }
}

/** Translates the lines of the app-server or of `codex exec --json`. Of our own lines, only answers to its requests matter. */
export function translate(state: State, raw: RawMessage): Step {
  if (raw.from === 'host') return [withHostLine(state, raw), []]
  const reading = readJson(raw)
  if (reading.type === 'unreadable') return remark(state, null, [noticeOf(reading)])
  return withStrange(translateMessage(state, reading.value, raw), lines, reading.value)
}

function translateMessage(state: State, value: Fields, raw: RawMessage): Step {
  const message = readMessage(value)
  switch (message.type) {
    case 'notification':
      return notified(state, message, value, raw)
    case 'request':
      return requested(state, message, value, raw)
    case 'answer':
      return threadOpened(state, message.result)
    case 'refusal':
      return remark(state, null, [notice('warning', 'request-refused', message.message)])
    case 'unknown':
      return translateExecLine(state, value, raw)
  }
}

/** A line that is not from the app-server may be from `codex exec --json`. */
function translateExecLine(state: State, value: Fields, raw: RawMessage): Step {
  const meaning = execMeaning(value)
  if (meaning === undefined) return remark(state, null, [unknownOf(agent, 'untyped', raw, value)])
  return withStrange(meaning(state, value, raw), execLines, value)
}

type Notification = Extract<Message, { readonly type: 'notification' }>
type Request = Extract<Message, { readonly type: 'request' }>

function notified(state: State, { method, params, at }: Notification, value: Fields, raw: RawMessage): Step {
  const meaning = meanings.get(method)
  if (meaning) return meaning(state, params, at, raw)
  if (silentKinds.has(method)) return [state, []]
  const op = Object.hasOwn(notices, method) ? notices[method]?.(params) : unknownOf(agent, method, raw, value)
  return op ? remark(state, threadAt(state, textOrNull(params, 'threadId')), [op]) : [state, []]
}

function requested(state: State, { id, method, params }: Request, value: Fields, raw: RawMessage): Step {
  if (asksPerson(method)) return asked(state, method, params, id)
  if (silentKinds.has(method)) return [state, []]
  return remark(state, threadAt(state, textOrNull(params, 'threadId')), [
    unknownOf(agent, method, raw, value),
  ])
}
