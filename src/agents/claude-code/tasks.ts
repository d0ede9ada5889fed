import type { Thread } from '../../protocol/chunk.ts'
import type { DataParts } from '../../protocol/data-parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { numberOf, textOf, fieldsOf, type Fields } from './messages.ts'
import { notice } from '../kit/parts.ts'
import { act, remember, type Draft, type Helper, type Task } from './state.ts'

type News = Partial<DataParts['subagent']>

/** Begins background work: a subagent, or a long command. */
export function applyTaskStarted(draft: Draft, fields: Fields): void {
  const id = textOf(fields['task_id'])
  const call = textOf(fields['tool_use_id'])
  const task: Task = {
    call,
    isAgent:
      (textOf(fields['task_type']) ?? '').includes('agent') || textOf(fields['subagent_type']) !== null,
    background: fields['is_backgrounded'] === true,
  }
  if (id !== null) remember(draft, { tasks: setIn(draft.state.tasks, id, task) })
  if (!task.isAgent || call === null) return
  const prompt = textOf(fields['prompt'])
  noteHelper(draft, call, { prompt, announced: true, background: task.background })
  emitNews(draft, call, { ...introduction(fields), status: 'running' })
}

/** Begins a subagent at its first line, where nothing announced it. Missing facts are in its call. */
export function meetHelper(draft: Draft, thread: Thread, fields: Fields): void {
  if (thread === null || getIn(draft.state.helpers, thread)) return
  const input = fieldsOf(callIn(draft.state.parts, thread)?.input) ?? {}
  // Its lines may come long after its end, when the call is no longer in the state.
  noteHelper(draft, thread, { prompt: textOf(input['prompt']), announced: false, background: false })
  const about = introduction({
    subagent_type: fields['subagent_type'] ?? input['subagent_type'] ?? null,
    description: fields['task_description'] ?? input['description'] ?? null,
  })
  if (Object.keys(about).length > 0) emitNews(draft, thread, { ...about, status: 'running' })
}

function noteHelper(draft: Draft, call: string, helper: Helper): void {
  remember(draft, { helpers: setIn(draft.state.helpers, call, helper) })
}

function introduction(fields: Fields): News {
  const agent = textOf(fields['subagent_type'])
  const description = textOf(fields['description'])
  return { ...(agent === null ? {} : { agent }), ...(description === null ? {} : { description }) }
}

/** The progress of a subagent. */
export function applyTaskProgress(draft: Draft, fields: Fields): void {
  const task = taskOf(draft, fields)
  if (task?.isAgent === true && task.call !== null) emitNews(draft, task.call, figures(fields))
}

/** The end of background work: the last update of a subagent, or a notice for a command. */
export function applyTaskEnd(draft: Draft, fields: Fields): void {
  const task = taskOf(draft, fields)
  const status = statuses.get(textOf(fields['status']) ?? textOf(fieldsOf(fields['patch'])?.['status']) ?? '')
  if (task === undefined || status === undefined) return
  const summary = textOf(fields['summary'])
  if (task.isAgent && task.call !== null) return end(draft, task.call, status, figures(fields), summary)
  const level = status === 'completed' ? 'info' : 'warning'
  if (task.background && summary !== null) act(draft, [notice(level, 'background-task', summary)])
}

function end(
  draft: Draft,
  call: string,
  status: Exclude<News['status'], undefined>,
  news: News,
  summary: string | null,
): void {
  emitNews(draft, call, { ...news, status })
  const subagent = callIn(draft.state.parts, call)?.subagent
  if (subagent?.lastWords === null && summary !== null) emitNews(draft, call, { lastWords: summary })
}

const statuses: ReadonlyMap<string, Exclude<News['status'], undefined>> = new Map([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['error', 'failed'],
  ['stopped', 'stopped'],
  ['killed', 'stopped'],
  ['cancelled', 'stopped'],
] as const)

/** A subagent without an announcement ends with the result of its call. */
export function endHelper(draft: Draft, call: string, failed: boolean, twin: Fields | null): void {
  const helper = getIn(draft.state.helpers, call)
  if (helper === undefined || helper.announced || twin?.['status'] === 'async_launched') return
  const tokens = numberOf(twin?.['totalTokens'])
  // Its own calls may not be in our lines, so the reported number counts.
  const toolCalls = numberOf(twin?.['totalToolUseCount'])
  emitNews(draft, call, {
    status: failed ? 'failed' : 'completed',
    ...(tokens === null ? {} : { tokens }),
    ...(toolCalls === null ? {} : { toolCalls }),
  })
}

function taskOf(draft: Draft, fields: Fields): Task | undefined {
  return getIn(draft.state.tasks, textOf(fields['task_id']) ?? '')
}

function figures(fields: Fields): News {
  const usage = fieldsOf(fields['usage']) ?? {}
  const tokens = numberOf(usage['total_tokens'])
  const toolCalls = numberOf(usage['tool_uses'])
  return { ...(tokens === null ? {} : { tokens }), ...(toolCalls === null ? {} : { toolCalls }) }
}

/** An update of a subagent. Updates for an unknown call are dropped. */
function emitNews(draft: Draft, call: string, news: News): void {
  const home = callIn(draft.state.parts, call)
  if (home && Object.keys(news).length > 0) act(draft, [{ type: 'subagent', call, news }], home.thread)
}
