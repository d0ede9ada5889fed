import type { ConnectionId } from '../../protocol/ids.ts'
import type { RawMessage } from '../agent.ts'
import { textOrNull, type Fields } from '../kit/fields.ts'
import { nothingShown } from '../kit/known-fields.ts'
import { emptyMap } from '../kit/persistent-map.ts'
import { initialParts } from '../kit/parts.ts'
import { noticeOf, readJson, unknownOf } from '../kit/read-json.ts'
import { remark, withStrange } from '../kit/telling.ts'
import { execLines, lines } from './known-fields.ts'
import { mcpProgress, outputDelta, patchSoFar, typedInto } from './calls.ts'
import { execMeaning } from './exec-lines.ts'
import { rawItem } from './hidden-calls.ts'
import { itemCompleted, itemStarted } from './items.ts'
import { readMessage, type Message } from './messages.ts'
import { notice } from './notice.ts'
import { notices, silentKinds } from './notices.ts'
import { asked, asksPerson, heardFromHost, requestResolved } from './requests.ts'
import { settingsUpdated, threadStarted, threadTold } from './session.ts'
import { threadAt, type State, type Step } from './state.ts'
import { diffUpdated, errorTold, planUpdated, tokenUsage, turnCompleted, turnStarted } from './turns.ts'
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
  ['thread/tokenUsage/updated', tokenUsage],
  ['thread/started', threadStarted],
  ['thread/settings/updated', settingsUpdated],
  ['serverRequest/resolved', requestResolved],
  ['error', errorTold],
])

/** The app-server's lines, or those of `codex exec --json`, as chunks. Of our own lines only the answers to its questions matter. */
export function translate(state: State, raw: RawMessage): Step {
  if (raw.from === 'host') return [heardFromHost(state, raw), []]
  const reading = readJson(raw)
  if (reading.type === 'unreadable') return remark(state, null, [noticeOf(reading)])
  return withStrange(heard(state, reading.value, raw), lines, reading.value)
}

function heard(state: State, value: Fields, raw: RawMessage): Step {
  const message = readMessage(value)
  switch (message.type) {
    case 'notification':
      return notified(state, message, value, raw)
    case 'request':
      return requested(state, message, value, raw)
    case 'answer':
      return threadTold(state, message.result)
    case 'refusal':
      return remark(state, null, [notice('warning', 'request-refused', message.message)])
    case 'unknown':
      return execTold(state, value, raw)
  }
}

/** A line that the app-server never says may be one of `codex exec --json`. */
function execTold(state: State, value: Fields, raw: RawMessage): Step {
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
  const said = Object.hasOwn(notices, method)
    ? notices[method]?.(params)
    : unknownOf(agent, method, raw, value)
  return said ? remark(state, threadAt(state, textOrNull(params, 'threadId')), [said]) : [state, []]
}

function requested(state: State, { id, method, params }: Request, value: Fields, raw: RawMessage): Step {
  if (asksPerson(method)) return asked(state, method, params, id)
  if (silentKinds.has(method)) return [state, []]
  return remark(state, threadAt(state, textOrNull(params, 'threadId')), [
    unknownOf(agent, method, raw, value),
  ])
}
