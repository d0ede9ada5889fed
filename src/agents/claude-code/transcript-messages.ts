import type { Thread } from '../../protocol/chunk.ts'
import { between } from '../../protocol/linear-text.ts'
import { saidMeanwhile } from '../../protocol/said-meanwhile.ts'
import type { RawMessage } from '../agent.ts'
import { callIn, isSpeaking } from '../kit/parts/look.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { unknownOf } from '../kit/parse-json.ts'
import { blockOps } from './assistant.ts'
import { blocksOf, requestOf, textOf, fieldsOf, type Block, type Fields } from './messages.ts'
import { notice } from '../kit/parts.ts'
import { isCaveat, printedIn } from './printed.ts'
import { isPersons, isPersonsText } from './prompt-in.ts'
import { act, agentName, enterModel, remember } from './state.ts'
import { endHelper, meetHelper } from './tasks.ts'
import { applyToolResult } from './tool-result.ts'
import { beginAnew, endAnswer, note, spend, takeUp, type Page } from './transcript-state.ts'
import { interrupted, isTask } from './user.ts'

/** A model's message in a transcript: one block per line, each once. */
export function readAssistant(page: Page, thread: Thread, fields: Fields, raw: RawMessage): void {
  if (isSeen(page, thread, fields)) return
  const message = fieldsOf(fields['message']) ?? {}
  const blocks = blocksOf(message['content'])
  if (fields['isApiErrorMessage'] === true) return showError(page, thread, fields, blocks)
  if (isFiller(message, blocks)) return
  admitTrouble(page, thread)
  meetHelper(page, thread, {})
  const id = textOf(message['id']) ?? textOf(fields['uuid']) ?? ''
  enterModel(page, thread, id)
  for (const [index, block] of blocks.entries()) emitBlock(page, thread, block, index, fields, raw)
  const usage = fieldsOf(message['usage'])
  if (usage !== null) spend(page, thread, requestOf(id, usage), textOf(message['model']))
  if (thread !== null) return
  note(page, { isAtWork: isAtWork(message, blocks) })
  remember(page, { stop: textOf(message['stop_reason']) })
}

/** Where an answer was aborted, Claude Code adds this text in the model's place. The model did not write it. */
function isFiller(message: Fields, blocks: readonly Block[]): boolean {
  const [first] = blocks
  return (
    message['model'] === '<synthetic>' && first?.type === 'text' && first.text === 'No response requested.'
  )
}

/** Lines of a side chain may appear twice, in a separate file and in the main one. */
function isSeen(page: Page, thread: Thread, fields: Fields): boolean {
  const uuid = textOf(fields['uuid'])
  if (uuid === null) return false
  if (getIn(page.state.seen, uuid)) return true
  remember(page, { seen: setIn(page.state.seen, uuid, { thread, keys: [] }) })
  return false
}

/** A service error is the end, unless more follows. */
function showError(page: Page, thread: Thread, fields: Fields, blocks: readonly Block[]): void {
  admitTrouble(page, thread)
  const message = blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
  const kind = textOf(fields['error']) ?? 'api_error'
  if (thread !== null) return act(page, [notice('error', kind, message)], thread)
  act(page, [{ type: 'begin' }])
  remember(page, { trouble: { kind, message } })
}

/** The answer continued, so the error was not its end; a subagent's lines do not show that. */
function admitTrouble(page: Page, thread: Thread): void {
  const { trouble } = page.state
  if (thread !== null || trouble === null) return
  act(page, [notice('error', trouble.kind, trouble.message)])
  remember(page, { trouble: null })
}

function isAtWork(message: Fields, blocks: readonly Block[]): boolean {
  const stop = textOf(message['stop_reason'])
  return stop === null ? blocks.at(-1)?.type !== 'text' : stop === 'tool_use'
}

const helpers: ReadonlySet<string> = new Set(['Task', 'Agent'])

function emitBlock(
  page: Page,
  thread: Thread,
  block: Block,
  index: number,
  fields: Fields,
  raw: RawMessage,
): void {
  const key = block.type === 'call' ? block.call : `${textOf(fields['uuid']) ?? ''}.${index}`
  act(page, blockOps(block, key, fields, raw), thread)
  if (block.type !== 'call' || !helpers.has(block.tool)) return
  const input = fieldsOf(block.input) ?? {}
  const about = {
    subagent_type: input['subagent_type'] ?? null,
    task_description: input['description'] ?? null,
  }
  meetHelper(page, block.call, about)
}

/** Messages to the model that are not a person's prompt: results of tools, a subagent's task, reminders. */
export function readUser(page: Page, thread: Thread, fields: Fields, raw: RawMessage): void {
  if (isSeen(page, thread, fields)) return
  meetHelper(page, thread, {})
  const blocks = blocksOf(fieldsOf(fields['message'])?.['content'])
  const results = blocks.filter(block => block.type === 'result')
  const twin = results.length === 1 ? (fields['toolUseResult'] ?? null) : null
  for (const result of results) {
    takeUp(page, result.call)
    applyToolResult(page, thread, result, twin)
  }
  if (results.length > 0 && thread === null) note(page, { isAtWork: true })
  for (const block of blocks) {
    if (block.type === 'text') showText(page, thread, block.text, fields)
    else if (block.type === 'other')
      act(page, [unknownOf(agentName, `block/${block.kind}`, raw, block.native)], thread)
  }
}

function showText(page: Page, thread: Thread, text: string, fields: Fields): void {
  if (interrupted.has(text)) return interrupt(page, thread)
  if (isTask(page, thread, text) || (fields['isMeta'] === true && isCaveat(text))) return
  const printed = printedIn(text)
  if (printed !== null) return act(page, printed, thread)
  applyTaskNotification(page, text)
  act(page, [notice('info', codeOf(thread, text, fields), text.trim())], thread)
}

function codeOf(thread: Thread, text: string, fields: Fields): string {
  if (fields['isCompactSummary'] === true) return 'summary'
  if (fields['isMeta'] === true) return 'reminder'
  // Texts beside results of tools were sent by a person before the results came.
  return thread === null && isPersons(fields) && isPersonsText(text) ? saidMeanwhile : 'told-to-model'
}

function interrupt(page: Page, thread: Thread): void {
  if (thread !== null) return
  if (!isSpeaking(page.state.parts)) act(page, [{ type: 'begin' }])
  endAnswer(page, 'interrupted')
  // Later messages do not belong to the earlier prompt.
  beginAnew(page)
}

/** The end of a subagent in the background is reported to the model as text. */
export function applyTaskNotification(page: Page, text: string): void {
  if (!text.trimStart().startsWith('<task-notification>')) return
  const call = between(text, '<tool-use-id>', '</tool-use-id>')
  const status = between(text, '<status>', '</status>')
  if (call === undefined || callIn(page.state.parts, call)?.subagent?.status !== 'running') return
  takeUp(page, call)
  endHelper(page, call, status !== 'completed', null)
}
