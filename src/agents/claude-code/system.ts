import type { RawMessage } from '../agent.ts'
import { unknownOf } from '../kit/read-json.ts'
import { takeBack } from './assistant.ts'
import { numberOf, textOf, textsOf, wordsOf, type Words } from './messages.ts'
import { noticeOp } from './notice.ts'
import { act, agentName, type Draft } from './state.ts'
import { hearTaskEnd, hearTaskProgress, hearTaskStarted } from './tasks.ts'

type Meaning = (draft: Draft, words: Words) => void

/** What Claude Code tells of itself rather than of the model. */
export function hearSystem(draft: Draft, words: Words, raw: RawMessage): void {
  const kind = textOf(words['subtype']) ?? 'untyped'
  const meaning = meanings.get(kind)
  if (meaning !== undefined) return meaning(draft, words)
  if (!nothingToShow.has(kind)) act(draft, [unknownOf(agentName, `system/${kind}`, raw, words)])
}

/** Kinds that say nothing to a person: states, lists, counters, and the refusals that the call's own result repeats. */
const nothingToShow: ReadonlySet<string> = new Set([
  'thinking_tokens',
  'session_state_changed',
  'background_tasks_changed',
  'commands_changed',
  'control_request_progress',
  'hook_started',
  'hook_progress',
  'elicitation_complete',
  'memory_recall',
  'permission_denied',
])

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['init', hearInit],
  ['status', hearStatus],
  ['task_started', hearTaskStarted],
  ['task_progress', hearTaskProgress],
  ['task_updated', hearTaskEnd],
  ['task_notification', hearTaskEnd],
  ['api_retry', hearRetry],
  ['compact_boundary', hearCompaction],
  ['hook_response', hearHook],
  ['model_refusal_fallback', hearRefusal],
  ['model_refusal_no_fallback', hearRefusal],
  ['informational', hearInformation],
  ['notification', (draft, words) => say(draft, 'info', 'notification', textOf(words['text']))],
  ['local_command_output', (draft, words) => say(draft, 'info', 'local-command', textOf(words['content']))],
  ['plugin_install', (draft, words) => say(draft, 'warning', 'plugin-install', textOf(words['error']))],
  ['mirror_error', (draft, words) => say(draft, 'error', 'mirror-error', textOf(words['error']))],
  ['files_persisted', hearPersisted],
  ['session_writes_lost', hearWritesLost],
  ['worker_shutting_down', (draft, words) => say(draft, 'info', 'shutting-down', textOf(words['reason']))],
])

type Level = Parameters<typeof noticeOp>[0]

function say(draft: Draft, level: Level, code: string, message: string | null): void {
  if (message !== null && message.trim() !== '') act(draft, [noticeOp(level, code, message.trim())])
}

/** Comes anew with every answer. */
function hearInit(draft: Draft, words: Words): void {
  const version = textOf(words['claude_code_version'])
  const data = {
    agentSession: textOf(words['session_id']),
    model: textOf(words['model']),
    cwd: textOf(words['cwd']),
    ...(version === null ? {} : { version }),
  }
  act(draft, [{ type: 'session', data }])
}

function hearStatus(draft: Draft, words: Words): void {
  if (words['status'] === 'requesting' || words['status'] === 'compacting') act(draft, [{ type: 'begin' }])
  say(draft, 'warning', 'compaction-failed', textOf(words['compact_error']))
}

function hearRetry(draft: Draft, words: Words): void {
  const status = numberOf(words['error_status'])
  const error = [status ?? '', textOf(words['error']) ?? ''].join(' ').trim()
  const wait = ((numberOf(words['retry_delay_ms']) ?? 0) / 1000).toFixed(1)
  const count = `${numberOf(words['attempt']) ?? '?'} of ${numberOf(words['max_retries']) ?? '?'}`
  say(draft, 'warning', 'retry', `The model did not answer (${error}). Trying again in ${wait} s, ${count}.`)
}

function hearCompaction(draft: Draft, words: Words): void {
  const facts = wordsOf(words['compact_metadata']) ?? {}
  const [before, after] = [numberOf(facts['pre_tokens']), numberOf(facts['post_tokens'])]
  const sizes =
    before === null ? '' : ` It had ${before} tokens${after === null ? '' : ` and now has ${after}`}.`
  say(draft, 'info', 'compacted', `The conversation was replaced by a summary.${sizes}`)
}

/** Hooks are the person's own programs: what they print is shown, and how they fail. */
function hearHook(draft: Draft, words: Words): void {
  const name = textOf(words['hook_name']) ?? 'A hook'
  const failed = textOf(words['outcome']) !== 'success'
  const output = (textOf(words['output']) ?? '').trim()
  if (failed || output !== '')
    say(draft, failed ? 'warning' : 'info', 'hook', `${name}${failed ? ' failed' : ''}: ${output}`)
}

function hearRefusal(draft: Draft, words: Words): void {
  takeBack(draft, textsOf(words['retracted_message_uuids']))
  say(draft, 'warning', 'refusal', textOf(words['content']))
}

function hearInformation(draft: Draft, words: Words): void {
  const level = textOf(words['level'])
  const known = level === 'warning' || level === 'error' ? level : 'info'
  say(draft, known, 'informational', textOf(words['content']))
}

function hearPersisted(draft: Draft, words: Words): void {
  const failed = Array.isArray(words['failed']) ? words['failed'].length : 0
  if (failed > 0) say(draft, 'warning', 'files-not-kept', `${failed} files could not be kept.`)
}

function hearWritesLost(draft: Draft, words: Words): void {
  const code = textOf(words['error_code']) ?? 'no reason given'
  say(draft, 'error', 'transcript-incomplete', `Claude Code could not write its own transcript (${code}).`)
}
