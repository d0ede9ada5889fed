import type { RawMessage } from '../agent.ts'
import { asObject, listOf, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { inOrder, remark } from '../kit/telling.ts'
import { errorText } from './failure.ts'
import { itemMeant } from './exec-items.ts'
import { itemCompleted, itemStarted } from './items.ts'
import { notice } from './notice.ts'
import { threadTold } from './session.ts'
import { nativeThread, type State, type Step } from './state.ts'
import { errorTold, planUpdated, tokenUsage, turnCompleted, turnStarted } from './turns.ts'

type Meaning = (state: State, line: Fields, raw: RawMessage) => Step

/** What the lines of `codex exec --json` mean: each is read as what the app-server says in its place. */
export function execMeaning(line: Fields): Meaning | undefined {
  const meaning = meanings.get(textOf(line, 'type'))
  if (meaning === undefined || line['type'] === 'turn.failed') return meaning
  return (state, each, raw) => inOrder(troubleTold(state), next => meaning(next, each, raw))
}

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['thread.started', runBegins],
  ['turn.started', state => turnStarted(state, { threadId: threadOf(state) })],
  ['turn.completed', turnEnds],
  ['turn.failed', turnFails],
  ['item.started', itemTold],
  ['item.updated', itemTold],
  ['item.completed', itemTold],
  ['error', wentWrong],
])

const threadOf = ({ main }: State): string => main ?? ''

/** Each run of the program begins so. It may follow one that was stopped, in the same thread or in another. */
function runBegins(state: State, line: Fields): Step {
  const exec = { ...state.exec, runs: state.exec.runs + 1 }
  return inOrder(isRunning(state) ? ended(state, { status: 'interrupted' }) : [state, []], next =>
    threadTold({ ...next, exec, main: null }, { thread: { id: textOf(line, 'thread_id') } }),
  )
}

const isRunning = (state: State): boolean => nativeThread(state, threadOf(state)).running

const ended = (state: State, turn: Fields): Step => turnCompleted(state, { threadId: threadOf(state), turn })

/** The figures are the sums of the thread: of a thread that was picked up they count from where it was left, if that is known. */
function turnEnds(state: State, line: Fields): Step {
  const told = objectOf(line, 'usage')
  const sums = Object.fromEntries(Object.entries(figures).map(([name, own]) => [name, told[own] ?? 0]))
  const used = { threadId: threadOf(state), tokenUsage: { total: sums, last: sums } }
  return inOrder('usage' in line ? tokenUsage(state, used) : [state, []], next =>
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
  return inOrder(isSame ? [calmed(state), []] : troubleTold(state), next =>
    ended(next, { status: 'failed', error }),
  )
}

/** An item begins, goes on or ends. Its name counts from 0 in each run. */
function itemTold(state: State, line: Fields, raw: RawMessage): Step {
  const item = objectOf(line, 'item')
  const threadId = threadOf(state)
  const isOver = line['type'] === 'item.completed'
  const type = textOf(item, 'type')
  if (type === 'todo_list') return planUpdated(state, { threadId, plan: listOf(item, 'items').map(step) })
  if (type === 'error') return isOver ? warned(state, item) : [state, []]
  const { runs } = state.exec
  const id = runs > 1 ? `${runs}.${textOf(item, 'id')}` : textOf(item, 'id')
  const params = { threadId, item: itemMeant(item, id) }
  if (isOver) return itemCompleted(state, params, 0, raw)
  // Whatever grows is told whole in the end.
  return line['type'] === 'item.started' ? itemStarted(state, params) : [state, []]
}

function step(told: Fields[string]): Fields {
  const fields = asObject(told)
  return { step: textOf(fields, 'text'), status: fields['completed'] === true ? 'completed' : 'pending' }
}

const warned = (state: State, item: Fields): Step =>
  remark(state, null, [notice('warning', 'warning', textOf(item, 'message'))])

/** Something went wrong. Nothing says whether it is tried again, but for the words; what is final fails the turn next. */
function wentWrong(state: State, line: Fields): Step {
  const message = textOf(line, 'message')
  if (message.startsWith('Reconnecting...'))
    return errorTold(state, { threadId: threadOf(state), willRetry: true, error: { message } })
  const troubled = { ...state, exec: { ...state.exec, trouble: message } }
  return isRunning(state) ? [troubled, []] : troubleTold(troubled)
}

/** An error that fails no turn is told by itself. */
function troubleTold(state: State): Step {
  const { trouble } = state.exec
  if (trouble === null) return [state, []]
  return remark(calmed(state), null, [notice('error', 'error', errorText({ message: trouble }))])
}

const calmed = (state: State): State => ({ ...state, exec: { ...state.exec, trouble: null } })
