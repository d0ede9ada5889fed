import type { RawMessage } from '../agent.ts'
import { unknownOf } from '../kit/parse-json.ts'
import { takeBack } from './assistant.ts'
import { numberOf, textOf, textsOf, fieldsOf, type Fields } from './messages.ts'
import { notice } from '../kit/parts.ts'
import { act, agentName, type Draft } from './state.ts'
import { applyTaskEnd, applyTaskProgress, applyTaskStarted } from './tasks.ts'

type Meaning = (draft: Draft, fields: Fields) => void

/** Messages of Claude Code about itself rather than the model. */
export function applySystem(draft: Draft, fields: Fields, raw: RawMessage): void {
  const kind = textOf(fields['subtype']) ?? 'untyped'
  const meaning = meanings.get(kind)
  if (meaning !== undefined) return meaning(draft, fields)
  if (!nothingToShow.has(kind)) act(draft, [unknownOf(agentName, `system/${kind}`, raw, fields)])
}

/** Kinds that are not shown: states, lists, counters, and the refusals that the call's own result repeats. */
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
  ['init', applyInit],
  ['status', applyStatus],
  ['task_started', applyTaskStarted],
  ['task_progress', applyTaskProgress],
  ['task_updated', applyTaskEnd],
  ['task_notification', applyTaskEnd],
  ['api_retry', applyRetry],
  ['compact_boundary', applyCompaction],
  ['hook_response', applyHook],
  ['model_refusal_fallback', applyRefusal],
  ['model_refusal_no_fallback', applyRefusal],
  ['informational', applyInformation],
  ['notification', (draft, fields) => notify(draft, 'info', 'notification', textOf(fields['text']))],
  [
    'local_command_output',
    (draft, fields) => notify(draft, 'info', 'local-command', textOf(fields['content'])),
  ],
  ['plugin_install', (draft, fields) => notify(draft, 'warning', 'plugin-install', textOf(fields['error']))],
  ['mirror_error', (draft, fields) => notify(draft, 'error', 'mirror-error', textOf(fields['error']))],
  ['files_persisted', applyPersisted],
  ['session_writes_lost', applyWritesLost],
  [
    'worker_shutting_down',
    (draft, fields) => notify(draft, 'info', 'shutting-down', textOf(fields['reason'])),
  ],
])

type Level = Parameters<typeof notice>[0]

function notify(draft: Draft, level: Level, code: string, message: string | null): void {
  if (message !== null && message.trim() !== '') act(draft, [notice(level, code, message.trim())])
}

/** Sent again with every answer. */
function applyInit(draft: Draft, fields: Fields): void {
  const version = textOf(fields['claude_code_version'])
  const data = {
    agentSession: textOf(fields['session_id']),
    model: textOf(fields['model']),
    cwd: textOf(fields['cwd']),
    ...(version === null ? {} : { version }),
  }
  act(draft, [{ type: 'session', data }])
}

function applyStatus(draft: Draft, fields: Fields): void {
  if (fields['status'] === 'requesting' || fields['status'] === 'compacting') act(draft, [{ type: 'begin' }])
  notify(draft, 'warning', 'compaction-failed', textOf(fields['compact_error']))
}

function applyRetry(draft: Draft, fields: Fields): void {
  const status = numberOf(fields['error_status'])
  const error = [status ?? '', textOf(fields['error']) ?? ''].join(' ').trim()
  const wait = ((numberOf(fields['retry_delay_ms']) ?? 0) / 1000).toFixed(1)
  const count = `${numberOf(fields['attempt']) ?? '?'} of ${numberOf(fields['max_retries']) ?? '?'}`
  notify(
    draft,
    'warning',
    'retry',
    `The model did not answer (${error}). Trying again in ${wait} s, ${count}.`,
  )
}

function applyCompaction(draft: Draft, fields: Fields): void {
  const facts = fieldsOf(fields['compact_metadata']) ?? {}
  const [before, after] = [numberOf(facts['pre_tokens']), numberOf(facts['post_tokens'])]
  const sizes =
    before === null ? '' : ` It had ${before} tokens${after === null ? '' : ` and now has ${after}`}.`
  notify(draft, 'info', 'compacted', `The conversation was replaced by a summary.${sizes}`)
}

/** Hooks are the person's own programs: their output and their failures are shown. */
function applyHook(draft: Draft, fields: Fields): void {
  const name = textOf(fields['hook_name']) ?? 'A hook'
  const failed = textOf(fields['outcome']) !== 'success'
  const output = (textOf(fields['output']) ?? '').trim()
  if (failed || output !== '')
    notify(draft, failed ? 'warning' : 'info', 'hook', `${name}${failed ? ' failed' : ''}: ${output}`)
}

function applyRefusal(draft: Draft, fields: Fields): void {
  takeBack(draft, textsOf(fields['retracted_message_uuids']))
  notify(draft, 'warning', 'refusal', textOf(fields['content']))
}

function applyInformation(draft: Draft, fields: Fields): void {
  const level = textOf(fields['level'])
  const known = level === 'warning' || level === 'error' ? level : 'info'
  notify(draft, known, 'informational', textOf(fields['content']))
}

function applyPersisted(draft: Draft, fields: Fields): void {
  const failed = Array.isArray(fields['failed']) ? fields['failed'].length : 0
  if (failed > 0) notify(draft, 'warning', 'files-not-kept', `${failed} files could not be kept.`)
}

function applyWritesLost(draft: Draft, fields: Fields): void {
  const code = textOf(fields['error_code']) ?? 'no reason given'
  notify(draft, 'error', 'transcript-incomplete', `Claude Code could not write its own transcript (${code}).`)
}
