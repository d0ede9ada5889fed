import type { Thread } from '../../protocol/chunk.ts'
import type { DataParts } from '../../protocol/data-parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { numberOf, textOf, wordsOf, type Words } from './messages.ts'
import { noticeOp } from './notice.ts'
import { act, remember, type Draft, type Helper, type Task } from './state.ts'

type News = Partial<DataParts['subagent']>

/** Work begins beside the conversation: a subagent, or a command that takes its time. */
export function hearTaskStarted(draft: Draft, words: Words): void {
  const id = textOf(words['task_id'])
  const call = textOf(words['tool_use_id'])
  const task: Task = {
    call,
    isAgent: (textOf(words['task_type']) ?? '').includes('agent') || textOf(words['subagent_type']) !== null,
    background: words['is_backgrounded'] === true,
  }
  if (id !== null) remember(draft, { tasks: setIn(draft.state.tasks, id, task) })
  if (!task.isAgent || call === null) return
  const prompt = textOf(words['prompt'])
  noteHelper(draft, call, { prompt, announced: true, background: task.background })
  tell(draft, call, { ...introduction(words), status: 'running' })
}

/** A subagent is met by its own words, where nothing announced it. What they do not say of it stands in its call. */
export function meetHelper(draft: Draft, thread: Thread, words: Words): void {
  if (thread === null || getIn(draft.state.helpers, thread)) return
  const input = wordsOf(callIn(draft.state.parts, thread)?.input) ?? {}
  // Its words may come long after its end, when the call is forgotten.
  noteHelper(draft, thread, { prompt: textOf(input['prompt']), announced: false, background: false })
  const about = introduction({
    subagent_type: words['subagent_type'] ?? input['subagent_type'] ?? null,
    description: words['task_description'] ?? input['description'] ?? null,
  })
  if (Object.keys(about).length > 0) tell(draft, thread, { ...about, status: 'running' })
}

function noteHelper(draft: Draft, call: string, helper: Helper): void {
  remember(draft, { helpers: setIn(draft.state.helpers, call, helper) })
}

function introduction(words: Words): News {
  const agent = textOf(words['subagent_type'])
  const description = textOf(words['description'])
  return { ...(agent === null ? {} : { agent }), ...(description === null ? {} : { description }) }
}

/** How far a subagent is. */
export function hearTaskProgress(draft: Draft, words: Words): void {
  const task = taskOf(draft, words)
  if (task?.isAgent === true && task.call !== null) tell(draft, task.call, figures(words))
}

/** The end of work beside the conversation: of a subagent its last news, of a command in the background a line. */
export function hearTaskEnd(draft: Draft, words: Words): void {
  const task = taskOf(draft, words)
  const status = statuses.get(textOf(words['status']) ?? textOf(wordsOf(words['patch'])?.['status']) ?? '')
  if (task === undefined || status === undefined) return
  const summary = textOf(words['summary'])
  if (task.isAgent && task.call !== null) return end(draft, task.call, status, figures(words), summary)
  const level = status === 'completed' ? 'info' : 'warning'
  if (task.background && summary !== null) act(draft, [noticeOp(level, 'background-task', summary)])
}

function end(
  draft: Draft,
  call: string,
  status: Exclude<News['status'], undefined>,
  news: News,
  summary: string | null,
): void {
  tell(draft, call, { ...news, status })
  const subagent = callIn(draft.state.parts, call)?.subagent
  if (subagent?.lastWords === null && summary !== null) tell(draft, call, { lastWords: summary })
}

const statuses: ReadonlyMap<string, Exclude<News['status'], undefined>> = new Map([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['error', 'failed'],
  ['stopped', 'stopped'],
  ['killed', 'stopped'],
  ['cancelled', 'stopped'],
] as const)

/** A subagent that nothing announced ends with the result of its call. */
export function endHelper(draft: Draft, call: string, failed: boolean, twin: Words | null): void {
  const helper = getIn(draft.state.helpers, call)
  if (helper === undefined || helper.announced || twin?.['status'] === 'async_launched') return
  const tokens = numberOf(twin?.['totalTokens'])
  // Its own calls may be in no line that we have, so what is said of their number counts.
  const toolCalls = numberOf(twin?.['totalToolUseCount'])
  tell(draft, call, {
    status: failed ? 'failed' : 'completed',
    ...(tokens === null ? {} : { tokens }),
    ...(toolCalls === null ? {} : { toolCalls }),
  })
}

function taskOf(draft: Draft, words: Words): Task | undefined {
  return getIn(draft.state.tasks, textOf(words['task_id']) ?? '')
}

function figures(words: Words): News {
  const usage = wordsOf(words['usage']) ?? {}
  const tokens = numberOf(usage['total_tokens'])
  const toolCalls = numberOf(usage['tool_uses'])
  return { ...(tokens === null ? {} : { tokens }), ...(toolCalls === null ? {} : { toolCalls }) }
}

/** News of a subagent. Of a call that this connection never heard of there is nothing to show. */
function tell(draft: Draft, call: string, news: News): void {
  const home = callIn(draft.state.parts, call)
  if (home && Object.keys(news).length > 0) act(draft, [{ type: 'subagent', call, news }], home.thread)
}
