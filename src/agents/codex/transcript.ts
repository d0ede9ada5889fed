import type { Thread } from '../../protocol/chunk.ts'
import type { Todo } from '../../protocol/data-parts.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { trimEndOf } from '../../protocol/linear-text.ts'
import type { RawMessage, Translation } from '../agent.ts'
import { deniedApproval, isPause, ownLineIn, type OwnLine } from '../importer.ts'
import {
  asObject,
  listOf,
  numberOf,
  objectOf,
  textOf,
  textOrNull,
  without,
  type Fields,
} from '../kit/fields.ts'
import { notice, type Op } from '../kit/parts.ts'
import { limitsIn } from './limits.ts'
import { callIn } from '../kit/parts/look.ts'
import { noticeOf, parseJson, readJson, unknownOf } from '../kit/parse-json.ts'
import {
  ask,
  finish,
  noteTime,
  initialRetelling,
  note,
  pause,
  say,
  showUsage,
  type Retelling,
  type Teller,
} from '../kit/retelling.ts'
import { timeIn } from '../kit/time-in.ts'
import { errorText } from './failure.ts'
import { lineOf, promptParts } from './prompt-in.ts'
import { failureIn } from './rollout-failure.ts'
import { requestBetween, tokensBetween, type Totals } from './usage.ts'

/** The state of the translation of a rollout. Immutable. */
export interface TranscriptState {
  readonly retelling: Retelling
  /** Facts about calls that Codex reports separately, until the results are shown. */
  readonly facts: ReadonlyMap<string, Fields>
  /** The usage of the session when the answer began, and now. */
  readonly base: Totals
  readonly total: Totals
  /** An error of the turn that was not followed by an answer. */
  readonly trouble: Retelling['trouble']
  /** Whether the turn has ended, so that its outcome is final. */
  readonly isOver: boolean
  /** The call that started the subagent whose file is being read. */
  readonly thread: Thread
}

const agent = 'codex'
const none: Totals = { input: 0, cached: 0, written: 0, output: 0, reasoning: 0 }

/** The state before the first line of a rollout. */
export const initialTranscript = (connection: ConnectionId): TranscriptState => ({
  retelling: initialRetelling(agent, connection),
  facts: new Map(),
  base: none,
  total: none,
  trouble: null,
  isOver: true,
  thread: null,
})

interface Page extends Teller {
  book: Omit<TranscriptState, 'retelling'>
  readonly from: RawMessage['from']
}

/** Translates the lines of a rollout: the messages of the model, and the events that Codex adds. */
export function translateTranscript(
  { retelling, ...book }: TranscriptState,
  raw: RawMessage,
): Translation<TranscriptState> {
  const page: Page = { retelling, book, from: raw.from, chunks: [] }
  const reading = readJson(raw)
  const own = ownLineIn(raw)
  if (isPause(raw)) {
    note(page, { trouble: book.trouble })
    pause(page)
  } else if (own !== null) readOwn(page, own)
  else if (reading.type === 'unreadable') say(page, [noticeOf(reading)])
  else translateLine(page, reading.value, raw)
  return [{ retelling: page.retelling, ...page.book }, page.chunks]
}

function readOwn(page: Page, own: OwnLine): void {
  if (own.dragoman === 'subagent-lines') page.book = { ...page.book, thread: own.call }
  else if (callIn(page.retelling.parts, own.call) !== undefined)
    show(page, [{ type: 'ask', call: own.call, approval: deniedApproval(own.call) }])
}

/** Applies ops in the conversation or, for lines of a subagent, in its thread. */
const show = (page: Page, ops: readonly Op[]): void => say(page, ops, page.book.thread)

/** Changes the state of the main answer; lines of a subagent do not affect it. */
function noteMain(page: Page, change: Partial<Retelling>): void {
  if (page.book.thread === null) note(page, change)
}

function translateLine(page: Page, line: Fields, raw: RawMessage): void {
  const { kind, payload } = lineOf(line)
  const at = page.book.thread === null ? timeIn(line['timestamp']) : null
  if (page.book.thread !== null && isOfSubagent(page, page.book.thread, kind, payload)) return
  if (kind === 'session_meta') return introduce(page, payload)
  if (kind === 'turn_context') return showModel(page, payload)
  if (kind === 'response_item') return readItem(page, payload, raw, at)
  if (kind === 'event_msg') return happened(page, payload, raw, at)
  if (kind === 'compacted') return say(page, [notice('info', 'compacted', summaryOf(payload))])
  if (!silentLines.has(kind)) say(page, [unknownOf(agent, kind, raw, line)])
}

/** What a subagent's file reports about the subagent itself: its name, its end and its usage. Its task is in its call. */
function isOfSubagent(page: Page, call: string, kind: string, payload: Fields): boolean {
  const type = textOf(payload, 'type')
  const news = (status: 'running' | 'completed' | 'stopped', more: object = {}) =>
    say(
      page,
      [{ type: 'subagent', call, news: { ...more, status } }],
      callIn(page.retelling.parts, call)?.thread,
    )
  if (kind === 'session_meta') news('running', namesOf(page, call, payload))
  else if (kind === 'event_msg' && (type === 'task_complete' || type === 'turn_complete')) news('completed')
  else if (kind === 'event_msg' && type === 'turn_aborted') news('stopped')
  else if (kind === 'event_msg' && type === 'token_count')
    subagentUsage(page, call, objectOf(payload, 'info'))
  else {
    const isUsers = textOf(payload, 'role') === 'user' || type === 'user_message' || type === 'error'
    return isUsers || textOf(objectOf(payload, 'item'), 'type') === 'UserMessage'
  }
  return true
}

function namesOf(page: Page, call: string, meta: Fields) {
  const description = textOf(asObject(callIn(page.retelling.parts, call)?.input ?? null), 'message')
  const nickname = textOf(meta, 'agent_nickname')
  return { ...(description !== '' && { description }), ...(nickname !== '' && { agent: nickname }) }
}

function subagentUsage(page: Page, call: string, info: Fields): void {
  if (!('total_token_usage' in info)) return
  const total = totalsIn(objectOf(info, 'total_token_usage'))
  showUsage(page, { tokens: tokensBetween(none, total), model: page.retelling.parts.session.model }, call)
}

const silentLines = new Set(['world_state', 'token_usage_record', 'state'])

const summaryOf = (payload: Fields) =>
  textOf(payload, 'message') || 'The conversation so far was summed up to make room.'

function introduce(page: Page, meta: Fields): void {
  const agentSession = textOrNull(meta, 'id')
  const [cwd, version] = [textOrNull(meta, 'cwd'), textOrNull(meta, 'cli_version')]
  const branch = textOrNull(objectOf(meta, 'git'), 'branch')
  const data = {
    agentSession,
    ...(cwd && { cwd }),
    ...(version && { version }),
    ...(branch && { branch }),
  }
  if (agentSession !== null) say(page, [{ type: 'session', data }])
}

function showModel(page: Page, context: Fields): void {
  const model = textOrNull(context, 'model')
  if (model !== null) say(page, [{ type: 'session', data: { model } }])
}

/** An item that the model received or sent. */
function readItem(page: Page, payload: Fields, raw: RawMessage, at: number | null): void {
  const type = textOf(payload, 'type')
  const call = textOf(payload, 'call_id') || textOf(payload, 'id')
  if (type === 'message') return message(page, payload, at)
  noteTime(page, at)
  if (type === 'reasoning') return reasoning(page, payload)
  if (type.endsWith('_output')) return settle(page, call, payload['output'] ?? null)
  if (type.endsWith('_call')) return begin(page, call, type, payload)
  if (!silentItems.has(type)) show(page, [unknownOf(agent, `item ${type}`, raw, payload)])
}

const silentItems = new Set(['ghost_snapshot', 'compaction', 'compaction_summary', 'other'])

function message(page: Page, payload: Fields, at: number | null): void {
  const role = textOf(payload, 'role')
  if (role === 'user' && promptParts(payload).length > 0) return asked(page, at)
  if (role !== 'assistant') return
  noteTime(page, at)
  const text = listOf(payload, 'content')
    .map(part => textOf(asObject(part), 'text'))
    .join('')
  addText(page, textOf(payload, 'id') || `${page.retelling.parts.messages}.${text}`, text, payload)
}

/** Text of the agent. Unless it is commentary, this may be the final answer. */
function addText(page: Page, key: string, text: string, payload: Fields): void {
  if (text === '') return
  const goesOn = textOf(payload, 'phase') === 'commentary'
  if (!goesOn && page.book.thread === null) showTrouble(page)
  show(page, [{ type: 'final', kind: 'text', key, text }])
  noteMain(page, { isAtWork: goesOn })
}

function reasoning(page: Page, payload: Fields): void {
  const id = textOf(payload, 'id') || `${page.chunks.length}`
  const pieces = (name: 'summary' | 'content') =>
    listOf(payload, name).flatMap((part, index): readonly Op[] => {
      const text = textOf(asObject(part), 'text')
      const key = `${id || text} ${name} ${index}`
      return text === '' ? [] : [{ type: 'final', kind: 'thinking', key, text }]
    })
  const ops = [...pieces('summary'), ...pieces('content')]
  if (ops.length > 0) show(page, ops)
}

function begin(page: Page, call: string, type: string, payload: Fields): void {
  const given = payload['arguments'] ?? payload['input'] ?? payload['action'] ?? null
  const parsed = typeof given === 'string' ? (parseJson(given) ?? given) : given
  show(page, [{ type: 'call-ready', call, tool: toolOf(payload, type), input: parsed }])
  noteMain(page, { isAtWork: true })
  if (textOf(payload, 'name') === 'update_plan') showPlan(page, asObject(parsed))
  // A call that the provider runs has no separate output.
  if (!('call_id' in payload) || type === 'web_search_call') settle(page, call, payload['result'] ?? null)
}

/** The name of an MCP tool has the server's name as a prefix, as in a live session. */
function toolOf(payload: Fields, type: string): string {
  const [name, server] = [textOf(payload, 'name'), textOf(payload, 'namespace')]
  if (name === '') return type.replace(/_call$/, '')
  return server.startsWith('mcp__') ? `${trimEndOf(server, '_')}__${name}` : name
}

function showPlan(page: Page, input: Fields): void {
  const todos = listOf(input, 'plan').map((step): Todo => {
    const fields = asObject(step)
    return { text: textOf(fields, 'step'), status: todoStatuses[textOf(fields, 'status')] ?? 'pending' }
  })
  show(page, [{ type: 'show', chunk: { type: 'data-todos', id: 'todos', data: { todos } } }])
}

const todoStatuses: Readonly<Record<string, Todo['status']>> = {
  in_progress: 'in-progress',
  completed: 'completed',
}

/** The result of a call, as the model saw it. Codex may have reported more facts about it. */
function settle(page: Page, call: string, output: Json): void {
  const facts = page.book.facts.get(call)
  const error = failureIn(callIn(page.retelling.parts, call)?.tool ?? '', output, facts ?? {})
  if (error !== null) return show(page, [{ type: 'failure', call, error }])
  show(page, [{ type: 'result', call, output: facts === undefined ? output : { ...facts, content: output } }])
}

/** An event of Codex. Many events are also reported as items. */
function happened(page: Page, payload: Fields, raw: RawMessage, at: number | null): void {
  const type = textOf(payload, 'type')
  const text = textOf(payload, 'message')
  if (type === 'user_message') return asked(page, at)
  if (type === 'item_completed') return showItem(page, objectOf(payload, 'item'), at)
  if (type === 'token_count') {
    const limits = limitsIn(objectOf(payload, 'rate_limits'))
    if (limits !== null && page.retelling.isAtWork) say(page, [limits])
    return noteUsage(page, objectOf(payload, 'info'))
  }
  if (type === 'task_complete' || type === 'turn_complete') return complete(page, payload, at)
  if (type === 'turn_aborted') return stop(page)
  if (type === 'error') return wentWrong(page, payload)
  if (type === 'warning' || type === 'stream_error') return say(page, [notice('warning', type, text)])
  if (type.endsWith('_end')) return noteFacts(page, payload)
  if (!silentEvents.has(type) && !/_(begin|delta)$/.test(type))
    say(page, [unknownOf(agent, `event ${type}`, raw, payload)])
}

/** The turn is over. With a last message it had an answer, whatever went wrong before. */
function complete(page: Page, payload: Fields, at: number | null): void {
  const { isAtWork, isAwaited, lastAt } = page.retelling
  if (textOf(payload, 'last_agent_message') !== '') showTrouble(page)
  if (isAtWork && !isAwaited) open(page)
  note(page, { isAtWork: false, lastAt: at ?? lastAt })
  page.book = { ...page.book, isOver: true }
}

function stop(page: Page): void {
  if (page.book.isOver) return
  showTrouble(page)
  open(page)
  finish(page, { reason: 'interrupted' })
  page.book = { ...page.book, isOver: true }
}

/** Makes sure that the answer is open: it may not have begun, or it may be paused. */
const open = (page: Page): void => say(page, [{ type: 'resume' }])

/** An error fails the turn, unless an answer follows. After the end of the turn it is only shown. */
function wentWrong(page: Page, payload: Fields): void {
  const sentence = errorText(payload)
  if (page.book.isOver) return say(page, [notice('error', 'error', sentence)])
  showTrouble(page)
  open(page)
  page.book = { ...page.book, trouble: { kind: kindOf(payload), message: sentence } }
}

function showTrouble(page: Page): void {
  const { trouble } = page.book
  if (trouble === null) return
  page.book = { ...page.book, trouble: null }
  say(page, [notice('error', 'error', trouble.message)])
}

const silentEvents = new Set([
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'agent_reasoning_section_break',
  'task_started',
  'turn_started',
  'thread_settings_applied',
  'thread_name_updated',
  'thread_goal_updated',
  'session_configured',
  'context_compacted',
  'plan_update',
  'turn_diff',
  'item_started',
  'entered_review_mode',
  'exited_review_mode',
  'thread_rolled_back',
  'undo_completed',
])

function kindOf(payload: Fields): string {
  const info = payload['codex_error_info']
  return typeof info === 'string' ? info : (Object.keys(asObject(info))[0] ?? 'error')
}

/** A new prompt means that the turn before it has ended, even if no line says so. */
function asked(page: Page, at: number | null): void {
  const { book, retelling, from } = page
  // A prompt starts a new interaction, in which an earlier answer cannot end.
  const isCut = retelling.isAtWork && book.trouble === null && retelling.paused.has(null) && from === 'agent'
  if (isCut) open(page)
  note(page, { isAtWork: false, trouble: book.trouble })
  page.book = { ...book, base: book.total, trouble: null, isOver: false }
  ask(page, at)
}

function showItem(page: Page, item: Fields, at: number | null): void {
  const type = textOf(item, 'type')
  if (type === 'UserMessage') return asked(page, at)
  noteTime(page, at)
  const id = textOf(item, 'id')
  if (type === 'AgentMessage')
    return addText(
      page,
      id,
      listOf(item, 'content')
        .map(part => textOf(asObject(part), 'text'))
        .join(''),
      item,
    )
  if (type !== 'Reasoning' && type !== 'Plan') noteFacts(page, item)
}

const frame = new Set(['type', 'id', 'call_id', 'command', 'turn_id', 'parsed_cmd'])

/** The outcome of a call, in fields. The call may end long after the model saw it begin. */
function noteFacts(page: Page, facts: Fields): void {
  const call = textOf(facts, 'call_id') || textOf(facts, 'id')
  if (call === '') return
  page.book = { ...page.book, facts: new Map(page.book.facts).set(call, without(facts, frame)) }
  const known = callIn(page.retelling.parts, call)
  if (known !== undefined) return
  show(page, [{ type: 'call-ready', call, tool: textOf(facts, 'type'), input: facts['command'] ?? null }])
  settle(page, call, facts['aggregated_output'] ?? null)
}

/** The usage is the total of the session, so the answer used the difference. */
function noteUsage(page: Page, info: Fields): void {
  if (!('total_token_usage' in info)) return
  const total = totalsIn(objectOf(info, 'total_token_usage'))
  const { base, total: before } = page.book
  page.book = { ...page.book, total }
  const { model } = page.retelling.parts.session
  showUsage(page, { tokens: tokensBetween(base, total), model, request: requestBetween(before, total) })
  say(page, [{ type: 'step-end' }])
}

const totalsIn = (usage: Fields): Totals => ({
  input: numberOf(usage, 'input_tokens'),
  cached: numberOf(usage, 'cached_input_tokens'),
  written: numberOf(usage, 'cache_write_input_tokens'),
  output: numberOf(usage, 'output_tokens'),
  reasoning: numberOf(usage, 'reasoning_output_tokens'),
})
