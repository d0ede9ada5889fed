import type { Thread } from '../../protocol/chunk.ts'
import { between } from '../../protocol/linear-text.ts'
import { saidMeanwhile } from '../../protocol/said-meanwhile.ts'
import type { RawMessage } from '../agent.ts'
import { callIn, isSpeaking } from '../kit/parts/look.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { unknownOf } from '../kit/read-json.ts'
import { blockOps } from './assistant.ts'
import { blocksOf, textOf, tokensOf, wordsOf, type Block, type Words } from './messages.ts'
import { noticeOp } from './notice.ts'
import { isCaveat, printedIn } from './printed.ts'
import { isPersons, isPersonsText } from './prompt-in.ts'
import { act, agentName, enterModel, remember } from './state.ts'
import { endHelper, meetHelper } from './tasks.ts'
import { hearToolResult } from './tool-result.ts'
import { beginAnew, endAnswer, note, spend, takeUp, type Page } from './transcript-state.ts'
import { interrupted, isTask } from './user.ts'

/** A model's words in a transcript: one block a line, told once. */
export function tellAssistant(page: Page, thread: Thread, words: Words, raw: RawMessage): void {
  if (isTold(page, thread, words)) return
  const message = wordsOf(words['message']) ?? {}
  const blocks = blocksOf(message['content'])
  if (words['isApiErrorMessage'] === true) return tellTrouble(page, thread, words, blocks)
  if (isFiller(message, blocks)) return
  admitTrouble(page, thread)
  meetHelper(page, thread, {})
  const id = textOf(message['id']) ?? textOf(words['uuid']) ?? ''
  enterModel(page, thread, id)
  for (const [index, block] of blocks.entries()) tellBlock(page, thread, block, index, words, raw)
  const usage = wordsOf(message['usage'])
  if (usage !== null) spend(page, thread, id, tokensOf(usage), textOf(message['model']))
  if (thread !== null) return
  note(page, { isAtWork: isAtWork(message, blocks) })
  remember(page, { stop: textOf(message['stop_reason']) })
}

/** Where an answer broke off, Claude Code puts this in the model's place before it goes on. The model said nothing. */
function isFiller(message: Words, blocks: readonly Block[]): boolean {
  const [first] = blocks
  return (
    message['model'] === '<synthetic>' && first?.type === 'text' && first.text === 'No response requested.'
  )
}

/** Lines of a side chain may be told twice, in a file of their own and in passing. */
function isTold(page: Page, thread: Thread, words: Words): boolean {
  const uuid = textOf(words['uuid'])
  if (uuid === null) return false
  if (getIn(page.state.told, uuid)) return true
  remember(page, { told: setIn(page.state.told, uuid, { thread, keys: [] }) })
  return false
}

/** An error of the model's service is the end, unless more follows. */
function tellTrouble(page: Page, thread: Thread, words: Words, blocks: readonly Block[]): void {
  admitTrouble(page, thread)
  const message = blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
  const kind = textOf(words['error']) ?? 'api_error'
  if (thread !== null) return act(page, [noticeOp('error', kind, message)], thread)
  act(page, [{ type: 'begin' }])
  remember(page, { trouble: { kind, message } })
}

/** The answer went on, so what was wrong was not its end; a subagent's words say nothing of that. */
function admitTrouble(page: Page, thread: Thread): void {
  const { trouble } = page.state
  if (thread !== null || trouble === null) return
  act(page, [noticeOp('error', trouble.kind, trouble.message)])
  remember(page, { trouble: null })
}

function isAtWork(message: Words, blocks: readonly Block[]): boolean {
  const stop = textOf(message['stop_reason'])
  return stop === null ? blocks.at(-1)?.type !== 'text' : stop === 'tool_use'
}

const helpers: ReadonlySet<string> = new Set(['Task', 'Agent'])

function tellBlock(
  page: Page,
  thread: Thread,
  block: Block,
  index: number,
  words: Words,
  raw: RawMessage,
): void {
  const key = block.type === 'call' ? block.call : `${textOf(words['uuid']) ?? ''}.${index}`
  act(page, blockOps(block, key, words, raw), thread)
  if (block.type !== 'call' || !helpers.has(block.tool)) return
  const input = wordsOf(block.input) ?? {}
  const about = {
    subagent_type: input['subagent_type'] ?? null,
    task_description: input['description'] ?? null,
  }
  meetHelper(page, block.call, about)
}

/** What is said to the model and is no person's prompt: results of tools, a subagent's task, reminders. */
export function tellUser(page: Page, thread: Thread, words: Words, raw: RawMessage): void {
  if (isTold(page, thread, words)) return
  meetHelper(page, thread, {})
  const blocks = blocksOf(wordsOf(words['message'])?.['content'])
  const results = blocks.filter(block => block.type === 'result')
  const twin = results.length === 1 ? (words['toolUseResult'] ?? null) : null
  for (const result of results) {
    takeUp(page, result.call)
    hearToolResult(page, thread, result, twin)
  }
  if (results.length > 0 && thread === null) note(page, { isAtWork: true })
  for (const block of blocks) {
    if (block.type === 'text') tellText(page, thread, block.text, words)
    else if (block.type === 'other')
      act(page, [unknownOf(agentName, `block/${block.kind}`, raw, block.native)], thread)
  }
}

function tellText(page: Page, thread: Thread, text: string, words: Words): void {
  if (interrupted.has(text)) return interrupt(page, thread)
  if (isTask(page, thread, text) || (words['isMeta'] === true && isCaveat(text))) return
  const printed = printedIn(text)
  if (printed !== null) return act(page, printed, thread)
  hearTaskNotification(page, text)
  act(page, [noticeOp('info', codeOf(thread, text, words), text.trim())], thread)
}

function codeOf(thread: Thread, text: string, words: Words): string {
  if (words['isCompactSummary'] === true) return 'summary'
  if (words['isMeta'] === true) return 'reminder'
  // Beside results of tools stand words that a person said before they came.
  return thread === null && isPersons(words) && isPersonsText(text) ? saidMeanwhile : 'told-to-model'
}

function interrupt(page: Page, thread: Thread): void {
  if (thread !== null) return
  if (!isSpeaking(page.state.parts)) act(page, [{ type: 'begin' }])
  endAnswer(page, 'interrupted')
  // Whatever is said now was not asked for before.
  beginAnew(page)
}

/** The end of a subagent that worked in the background is told to the model in words. */
export function hearTaskNotification(page: Page, text: string): void {
  if (!text.trimStart().startsWith('<task-notification>')) return
  const call = between(text, '<tool-use-id>', '</tool-use-id>')
  const status = between(text, '<status>', '</status>')
  if (call === undefined || callIn(page.state.parts, call)?.subagent?.status !== 'running') return
  takeUp(page, call)
  endHelper(page, call, status !== 'completed', null)
}
