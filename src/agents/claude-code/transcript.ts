import type { Thread } from '../../protocol/chunk.ts'
import type { RawMessage, Translation } from '../agent.ts'
import { deniedApproval, isPause, ownLineIn } from '../importer.ts'
import { callIn, isSpeaking } from '../kit/parts/look.ts'
import { entriesIn, getIn, setIn } from '../kit/persistent-map.ts'
import { noticeOf, readJson, unknownOf } from '../kit/parse-json.ts'
import { timeIn } from '../kit/time-in.ts'
import { blocksOf, listOf, numberOf, textOf, fieldsOf, type Fields } from './messages.ts'
import { notice } from '../kit/parts.ts'
import { printedIn } from './printed.ts'
import { asTyped, promptIn } from './prompt-in.ts'
import { applyAttachment, applyQueue } from './queued.ts'
import { act, agentName } from './state.ts'
import { readAssistant, readUser } from './transcript-messages.ts'
import {
  beginAnew,
  endAnswer,
  note,
  notify,
  takeUp,
  addCost,
  type Page,
  type TranscriptState,
} from './transcript-state.ts'

export { initialTranscript, type TranscriptState } from './transcript-state.ts'

/** The lines of Claude Code's transcripts as chunks. */
export function translateTranscript(
  { live, ...book }: TranscriptState,
  raw: RawMessage,
): Translation<TranscriptState> {
  const page: Page = { state: live, book, chunks: [] }
  const own = ownLineIn(raw)
  if (isPause(raw)) pause(page)
  else if (own?.dragoman === 'denied') askedBefore(page, own.call)
  else readLine(page, raw)
  return [{ live: page.state, ...page.book }, page.chunks]
}

/** A person denied a call, so it had asked. */
function askedBefore(page: Page, call: string): void {
  const known = callIn(page.state.parts, call)
  if (known === undefined) return
  takeUp(page, known.thread)
  act(page, [{ type: 'ask', call, approval: deniedApproval(call) }], known.thread)
}

function pause(page: Page): void {
  const open = [...entriesIn(page.state.parts.threads)].flatMap(([thread, { message }]) =>
    message === null ? [] : [thread],
  )
  for (const thread of open.filter(each => each !== null)) {
    act(page, [{ type: 'finish', reason: 'finished', finishReason: 'other' }], thread)
    endLateSubagents(page, thread)
  }
  endAnswer(page, 'paused')
  note(page, { paused: new Set([...page.book.paused, ...open]) })
}

/** A subagent whose file came after the end of its call ends only now. */
function endLateSubagents(page: Page, call: string): void {
  const home = callIn(page.state.parts, call)
  const status = home?.subagent?.status ?? 'running'
  if (home && status !== 'running') act(page, [{ type: 'subagent', call, news: { status } }], home.thread)
}

function readLine(page: Page, raw: RawMessage): void {
  const reading = readJson(raw)
  if (reading.type === 'unreadable') return notify(page, null, noticeOf(reading))
  const fields = reading.value
  if (fields['dragoman'] === 'subagent') return meetSubagent(page, fields)
  const kind = textOf(fields['type']) ?? 'untyped'
  const meaning = meanings.get(kind)
  if (meaning) meaning(page, fields, raw)
  else if (!silent.has(kind)) notify(page, null, unknownOf(agentName, kind, raw, fields))
}

type Meaning = (page: Page, fields: Fields, raw: RawMessage) => void

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['user', applyMessage],
  ['assistant', applyMessage],
  ['progress', applyProgress],
  ['system', applySystem],
  ['queue-operation', applyQueue],
  ['attachment', applyAttachment],
  ['cost-state', applyCost],
  ['pr-link', (page, fields) => showText(page, 'pull-request', fields['prUrl'])],
])

/** Claude Code's own records: copies of files, requests, settings, titles. They are kept and not shown. */
const silent: ReadonlySet<string> = new Set([
  'file-history-snapshot',
  'file-history-delta',
  'summary',
  'custom-title',
  'ai-title',
  'agent-name',
  'agent-color',
  'agent-setting',
  'tag',
  'last-prompt',
  'mode',
  'permission-mode',
  'worktree-state',
  'content-replacement',
  'marble-origami-commit',
  'marble-origami-snapshot',
  'attribution-snapshot',
  'speculation-accept',
  'api-request',
  'api-request-shape',
  'api-request-blob',
  'tools-used',
  'atis-latch',
])

/** Which call started a subagent; comes before its own lines. */
function meetSubagent(page: Page, fields: Fields): void {
  const [agent, call] = [textOf(fields['agentId']), textOf(fields['toolUseId'])]
  if (agent !== null && call !== null) note(page, { agents: new Map(page.book.agents).set(agent, call) })
}

function applyMessage(page: Page, fields: Fields, raw: RawMessage): void {
  const thread = threadOf(page, fields)
  const at = timeIn(fields['timestamp'])
  const isPrompt = promptIn(fields) !== null
  if (!isPrompt) takeUp(page, thread)
  if (thread === null && at !== null) note(page, { lastAt: at, began: page.book.began ?? at })
  introduce(page, fields)
  if (isPrompt) return beginAnew(page)
  if (textOf(fieldsOf(fields['origin'])?.['kind']) === 'task-notification') beginAnew(page)
  if (fields['type'] === 'assistant') readAssistant(page, thread, fields, raw)
  else readUser(page, thread, fields, raw)
}

function introduce(page: Page, fields: Fields): void {
  const [agentSession, cwd] = [textOf(fields['sessionId']), textOf(fields['cwd'])]
  const version = textOf(fields['version'])
  const branch = textOf(fields['gitBranch'])
  if (agentSession === null || fields['isSidechain'] === true) return
  const model = fields['type'] === 'assistant' ? textOf(fieldsOf(fields['message'])?.['model']) : null
  const data = {
    agentSession,
    ...(cwd === null ? {} : { cwd }),
    ...(version === null ? {} : { version }),
    ...(branch ? { branch } : {}),
    ...(model === null || model === '<synthetic>' ? {} : { model }),
  }
  act(page, [{ type: 'session', data }])
}

/** The thread of a line: the conversation, or a subagent's, named after the call that started it. */
function threadOf(page: Page, fields: Fields): Thread {
  if (fields['isSidechain'] !== true) return null
  const agent = textOf(fields['agentId'])
  if (agent !== null) return page.book.agents.get(agent) ?? agent
  const { chains } = page.book
  const uuid = textOf(fields['uuid']) ?? ''
  const thread =
    getIn(chains, textOf(fields['parentUuid']) ?? '') ?? callAsking(page, fields) ?? `sidechain-${uuid}`
  note(page, { chains: setIn(chains, uuid, thread) })
  return thread
}

/** The call that gave a subagent its task: older transcripts have only its text. */
function callAsking(page: Page, fields: Fields): string | undefined {
  const [first] = blocksOf(fieldsOf(fields['message'])?.['content'])
  const task = first?.type === 'text' ? first.text : null
  const calls = [...entriesIn(page.state.parts.calls)]
  return calls.find(([, { input }]) => task !== null && fieldsOf(input)?.['prompt'] === task)?.[0]
}

/** Older transcripts have a subagent's messages in the main file. */
function applyProgress(page: Page, fields: Fields, raw: RawMessage): void {
  const data = fieldsOf(fields['data']) ?? {}
  const call = textOf(fields['parentToolUseID'])
  const message = fieldsOf(data['message'])
  if (data['type'] !== 'agent_progress' || call === null || message === null) return
  takeUp(page, call)
  if (message['type'] === 'assistant') readAssistant(page, call, message, raw)
  else if (message['type'] === 'user') readUser(page, call, message, raw)
}

function applySystem(page: Page, fields: Fields): void {
  if (promptIn(fields) !== null) return beginAnew(page)
  const kind = textOf(fields['subtype']) ?? 'system'
  const at = timeIn(fields['timestamp'])
  // Most of it describes the end of the answer.
  takeUp(page, null)
  if (at !== null && isSpeaking(page.state.parts)) note(page, { lastAt: at })
  if (kind === 'turn_duration')
    return note(page, { duration: numberOf(fields['durationMs']), isAtWork: false })
  if (kind === 'stop_hook_summary') return applyHooks(page, fields)
  if (kind === 'compact_boundary') return applyCompaction(page, fields)
  showText(page, kind.replaceAll('_', '-'), fields['content'], textOf(fields['level']))
}

/** The cost of the session so far, reported when Claude Code exits: the answers since the last report cost the rest. */
function applyCost(page: Page, fields: Fields): void {
  const total = numberOf(fields['totalCostUSD'])
  if (total !== null && fields['hasUnknownModelCost'] !== true) addCost(page, total)
}

function applyHooks(page: Page, fields: Fields): void {
  note(page, { isAtWork: fields['preventedContinuation'] === true })
  for (const error of listOf(fields['hookErrors'])) showText(page, 'hook', error, 'warning')
}

function applyCompaction(page: Page, fields: Fields): void {
  const before = numberOf(fieldsOf(fields['compactMetadata'])?.['preTokens'])
  const size = before === null ? '' : ` It had ${before} tokens.`
  showText(page, 'compacted', `The conversation was replaced by a summary.${size}`)
}

function showText(
  page: Page,
  code: string,
  text: Fields[string] | undefined,
  level: string | null = null,
): void {
  if (typeof text !== 'string' || text.trim() === '') return
  const known = level === 'warning' || level === 'error' ? level : 'info'
  notify(page, null, ...(printedIn(text) ?? [notice(known, code, asTyped(text.trim()))]))
}
