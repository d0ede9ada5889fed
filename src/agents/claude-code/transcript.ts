import type { Thread } from '../../protocol/chunk.ts'
import type { RawMessage, Translation } from '../agent.ts'
import { deniedApproval, isPause, ownLineIn } from '../importer.ts'
import { callIn, isSpeaking } from '../kit/parts/look.ts'
import { entriesIn, getIn, setIn } from '../kit/persistent-map.ts'
import { noticeOf, readJson, unknownOf } from '../kit/read-json.ts'
import { timeIn } from '../kit/time-in.ts'
import { blocksOf, listOf, numberOf, textOf, wordsOf, type Words } from './messages.ts'
import { noticeOp } from './notice.ts'
import { printedIn } from './printed.ts'
import { asTyped, promptIn } from './prompt-in.ts'
import { hearAttachment, hearQueue } from './queued.ts'
import { act, agentName } from './state.ts'
import { tellAssistant, tellUser } from './transcript-messages.ts'
import {
  beginAnew,
  endAnswer,
  note,
  say,
  takeUp,
  tellCost,
  type Page,
  type TranscriptState,
} from './transcript-state.ts'

export { initialTranscript, type TranscriptState } from './transcript-state.ts'

/** The lines that Claude Code leaves on disk as chunks. */
export function translateTranscript(
  { live, ...book }: TranscriptState,
  raw: RawMessage,
): Translation<TranscriptState> {
  const page: Page = { state: live, book, chunks: [] }
  const own = ownLineIn(raw)
  if (isPause(raw)) pause(page)
  else if (own?.dragoman === 'denied') askedBefore(page, own.call)
  else tell(page, raw)
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
    tellLastWords(page, thread)
  }
  endAnswer(page, 'paused')
  note(page, { paused: new Set([...page.book.paused, ...open]) })
}

/** A subagent whose file came after the end of its call has said its last words only now. */
function tellLastWords(page: Page, call: string): void {
  const home = callIn(page.state.parts, call)
  const status = home?.subagent?.status ?? 'running'
  if (home && status !== 'running') act(page, [{ type: 'subagent', call, news: { status } }], home.thread)
}

function tell(page: Page, raw: RawMessage): void {
  const reading = readJson(raw)
  if (reading.type === 'unreadable') return say(page, null, noticeOf(reading))
  const words = reading.value
  if (words['dragoman'] === 'subagent') return meetSubagent(page, words)
  const kind = textOf(words['type']) ?? 'untyped'
  const meaning = meanings.get(kind)
  if (meaning) meaning(page, words, raw)
  else if (!silent.has(kind)) say(page, null, unknownOf(agentName, kind, raw, words))
}

type Meaning = (page: Page, words: Words, raw: RawMessage) => void

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['user', hearMessage],
  ['assistant', hearMessage],
  ['progress', hearProgress],
  ['system', hearSystem],
  ['queue-operation', hearQueue],
  ['attachment', hearAttachment],
  ['cost-state', hearCost],
  ['pr-link', (page, words) => tellText(page, 'pull-request', words['prUrl'])],
])

/** What Claude Code notes for itself: copies of files, requests, settings, titles. They are kept and say nothing. */
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

/** Which call started a subagent, told before its own lines. */
function meetSubagent(page: Page, words: Words): void {
  const [agent, call] = [textOf(words['agentId']), textOf(words['toolUseId'])]
  if (agent !== null && call !== null) note(page, { agents: new Map(page.book.agents).set(agent, call) })
}

function hearMessage(page: Page, words: Words, raw: RawMessage): void {
  const thread = threadOf(page, words)
  const at = timeIn(words['timestamp'])
  const isPrompt = promptIn(words) !== null
  if (!isPrompt) takeUp(page, thread)
  if (thread === null && at !== null) note(page, { heard: at, began: page.book.began ?? at })
  introduce(page, words)
  if (isPrompt) return beginAnew(page)
  if (textOf(wordsOf(words['origin'])?.['kind']) === 'task-notification') beginAnew(page)
  if (words['type'] === 'assistant') tellAssistant(page, thread, words, raw)
  else tellUser(page, thread, words, raw)
}

function introduce(page: Page, words: Words): void {
  const [agentSession, cwd] = [textOf(words['sessionId']), textOf(words['cwd'])]
  const version = textOf(words['version'])
  if (agentSession === null || words['isSidechain'] === true) return
  const model = words['type'] === 'assistant' ? textOf(wordsOf(words['message'])?.['model']) : null
  const data = {
    agentSession,
    ...(cwd === null ? {} : { cwd }),
    ...(version === null ? {} : { version }),
    ...(model === null || model === '<synthetic>' ? {} : { model }),
  }
  act(page, [{ type: 'session', data }])
}

/** Where a line was said: in the conversation, or in a subagent's, which bears the name of the call that started it. */
function threadOf(page: Page, words: Words): Thread {
  if (words['isSidechain'] !== true) return null
  const agent = textOf(words['agentId'])
  if (agent !== null) return page.book.agents.get(agent) ?? agent
  const { chains } = page.book
  const uuid = textOf(words['uuid']) ?? ''
  const thread =
    getIn(chains, textOf(words['parentUuid']) ?? '') ?? callAsking(page, words) ?? `sidechain-${uuid}`
  note(page, { chains: setIn(chains, uuid, thread) })
  return thread
}

/** The call that gave a subagent its task: older transcripts tell no more than its words. */
function callAsking(page: Page, words: Words): string | undefined {
  const [first] = blocksOf(wordsOf(words['message'])?.['content'])
  const task = first?.type === 'text' ? first.text : null
  const calls = [...entriesIn(page.state.parts.calls)]
  return calls.find(([, { input }]) => task !== null && wordsOf(input)?.['prompt'] === task)?.[0]
}

/** Older transcripts tell a subagent's words in passing. */
function hearProgress(page: Page, words: Words, raw: RawMessage): void {
  const data = wordsOf(words['data']) ?? {}
  const call = textOf(words['parentToolUseID'])
  const message = wordsOf(data['message'])
  if (data['type'] !== 'agent_progress' || call === null || message === null) return
  takeUp(page, call)
  if (message['type'] === 'assistant') tellAssistant(page, call, message, raw)
  else if (message['type'] === 'user') tellUser(page, call, message, raw)
}

function hearSystem(page: Page, words: Words): void {
  if (promptIn(words) !== null) return beginAnew(page)
  const kind = textOf(words['subtype']) ?? 'system'
  const at = timeIn(words['timestamp'])
  // Most of it tells how the answer ends.
  takeUp(page, null)
  if (at !== null && isSpeaking(page.state.parts)) note(page, { heard: at })
  if (kind === 'turn_duration')
    return note(page, { duration: numberOf(words['durationMs']), isAtWork: false })
  if (kind === 'stop_hook_summary') return hearHooks(page, words)
  if (kind === 'compact_boundary') return hearCompaction(page, words)
  tellText(page, kind.replaceAll('_', '-'), words['content'], textOf(words['level']))
}

/** What the session has cost so far, told when Claude Code ends: the answers since the last time cost the rest. */
function hearCost(page: Page, words: Words): void {
  const total = numberOf(words['totalCostUSD'])
  if (total !== null && words['hasUnknownModelCost'] !== true) tellCost(page, total)
}

function hearHooks(page: Page, words: Words): void {
  note(page, { isAtWork: words['preventedContinuation'] === true })
  for (const error of listOf(words['hookErrors'])) tellText(page, 'hook', error, 'warning')
}

function hearCompaction(page: Page, words: Words): void {
  const before = numberOf(wordsOf(words['compactMetadata'])?.['preTokens'])
  const size = before === null ? '' : ` It had ${before} tokens.`
  tellText(page, 'compacted', `The conversation was replaced by a summary.${size}`)
}

function tellText(
  page: Page,
  code: string,
  text: Words[string] | undefined,
  level: string | null = null,
): void {
  if (typeof text !== 'string' || text.trim() === '') return
  const known = level === 'warning' || level === 'error' ? level : 'info'
  say(page, null, ...(printedIn(text) ?? [noticeOp(known, code, asTyped(text.trim()))]))
}
