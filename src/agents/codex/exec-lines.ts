import type { Json } from '../../protocol/json.ts'
import type { RawMessage } from '../agent.ts'
import { asObject, listOf, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { inOrder, notice, remark } from '../kit/parts.ts'
import { errorText } from './failure.ts'
import { itemCompleted, itemStarted } from './items.ts'
import { threadOpened } from './session.ts'
import { nativeThread, type State, type Step } from './state.ts'
import { errorReported, planUpdated, tokenUsage, turnCompleted, turnStarted } from './turns.ts'

type Meaning = (state: State, line: Fields, raw: RawMessage) => Step

/** The translation of a line of `codex exec --json`: it is read as the matching message of the app-server. */
export function execMeaning(line: Fields): Meaning | undefined {
  const meaning = meanings.get(textOf(line, 'type'))
  if (meaning === undefined || line['type'] === 'turn.failed') return meaning
  return (state, each, raw) => inOrder(showTrouble(state), next => meaning(next, each, raw))
}

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['thread.started', runBegins],
  ['turn.started', state => turnStarted(state, { threadId: threadOf(state) })],
  ['turn.completed', turnEnds],
  ['turn.failed', turnFails],
  ['item.started', itemChanged],
  ['item.updated', itemChanged],
  ['item.completed', itemChanged],
  ['error', wentWrong],
])

const threadOf = ({ main }: State): string => main ?? ''

/** A run of the program begins. It may follow a stopped run, in the same thread or in another. */
function runBegins(state: State, line: Fields): Step {
  const exec = { ...state.exec, runs: state.exec.runs + 1 }
  return inOrder(isRunning(state) ? ended(state, { status: 'interrupted' }) : [state, []], next =>
    threadOpened({ ...next, exec, main: null }, { thread: { id: textOf(line, 'thread_id') } }),
  )
}

const isRunning = (state: State): boolean => nativeThread(state, threadOf(state)).running

const ended = (state: State, turn: Fields): Step => turnCompleted(state, { threadId: threadOf(state), turn })

/** The usage is the total of the thread. For a resumed thread, it counts from the last known total. */
function turnEnds(state: State, line: Fields): Step {
  const usage = objectOf(line, 'usage')
  const sums = Object.fromEntries(Object.entries(figures).map(([name, own]) => [name, usage[own] ?? 0]))
  const used = { threadId: threadOf(state), tokenUsage: { total: sums, last: sums } }
  return inOrder('usage' in line ? tokenUsage(state, used, false) : [state, []], next =>
    ended(next, { status: 'completed' }),
  )
}

const figures = {
  inputTokens: 'input_tokens',
  cachedInputTokens: 'cached_input_tokens',
  cacheWriteInputTokens: 'cache_write_input_tokens',
  outputTokens: 'output_tokens',
  reasoningOutputTokens: 'reasoning_output_tokens',
}

function turnFails(state: State, line: Fields): Step {
  const error = objectOf(line, 'error')
  const isSame = state.exec.trouble === textOf(error, 'message')
  return inOrder(isSame ? [calmed(state), []] : showTrouble(state), next =>
    ended(next, { status: 'failed', error }),
  )
}

/** An item begins, continues or ends. Its ids count from 0 in each run. */
function itemChanged(state: State, line: Fields, raw: RawMessage): Step {
  const item = objectOf(line, 'item')
  const threadId = threadOf(state)
  const isOver = line['type'] === 'item.completed'
  const type = textOf(item, 'type')
  if (type === 'todo_list') return planUpdated(state, { threadId, plan: listOf(item, 'items').map(step) })
  if (type === 'error') return isOver ? warned(state, item) : [state, []]
  const { runs } = state.exec
  const id = runs > 1 ? `${runs}.${textOf(item, 'id')}` : textOf(item, 'id')
  const params = { threadId, item: appServerItem(item, id) }
  if (isOver) return itemCompleted(state, params, 0, raw)
  // The completed item has everything that an update has.
  return line['type'] === 'item.started' ? itemStarted(state, params) : [state, []]
}

function step(value: Fields[string]): Fields {
  const fields = asObject(value)
  return { step: textOf(fields, 'text'), status: fields['completed'] === true ? 'completed' : 'pending' }
}

const warned = (state: State, item: Fields): Step =>
  remark(state, null, [notice('warning', 'warning', textOf(item, 'message'))])

/** An error. Only its text shows whether Codex retries. A final error is followed by the failure of the turn. */
function wentWrong(state: State, line: Fields): Step {
  const message = textOf(line, 'message')
  if (message.startsWith('Reconnecting...'))
    return errorReported(state, { threadId: threadOf(state), willRetry: true, error: { message } })
  const troubled = { ...state, exec: { ...state.exec, trouble: message } }
  return isRunning(state) ? [troubled, []] : showTrouble(troubled)
}

/** Shows an error that was not followed by the failure of a turn. */
function showTrouble(state: State): Step {
  const { trouble } = state.exec
  if (trouble === null) return [state, []]
  return remark(calmed(state), null, [notice('error', 'error', errorText({ message: trouble }))])
}

const calmed = (state: State): State => ({ ...state, exec: { ...state.exec, trouble: null } })

/** An item of `codex exec --json` as the matching item of the app-server; an item of an unknown kind stays as it is. */
function appServerItem(item: Fields, id: string): Fields {
  const kind = kinds.get(textOf(item, 'type'))
  if (kind === undefined) return { ...item, id }
  const status = 'status' in item ? { status: camel(textOf(item, 'status')) } : {}
  return { ...renamed(item), ...status, ...kind.more?.(item), type: kind.type, id }
}

interface Kind {
  readonly type: string
  /** Fields whose values also differ. */
  readonly more?: (item: Fields) => Fields
}

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['agent_message', { type: 'agentMessage' }],
  ['plan', { type: 'plan' }],
  ['reasoning', { type: 'reasoning', more: item => ({ summary: [textOf(item, 'text')] }) }],
  ['command_execution', { type: 'commandExecution' }],
  ['file_change', { type: 'fileChange', more: item => ({ changes: listOf(item, 'changes').map(change) }) }],
  ['mcp_tool_call', { type: 'mcpToolCall', more: item => ({ result: renamedIn(item['result']) }) }],
  ['web_search', { type: 'webSearch', more: item => ('action' in item ? { action: action(item) } : {}) }],
  [
    'collab_tool_call',
    { type: 'collabAgentToolCall', more: item => ({ tool: camel(textOf(item, 'tool')) }) },
  ],
])

/** The app-server has an object for the kind, because a file may also be moved. */
function change(value: Json): Json {
  const fields = asObject(value)
  return typeof fields['kind'] === 'string' ? { ...fields, kind: { type: fields['kind'] } } : value
}

function action(item: Fields): Json {
  const fields = asObject(item['action'])
  return { ...fields, type: camel(textOf(fields, 'type')) }
}

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const renamed = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value]))

const renamedIn = (value: Json | undefined): Json =>
  typeof value === 'object' && value !== null ? renamed(asObject(value)) : null
