import type { Thread } from '../../protocol/chunk.ts'
import type { RawMessage } from '../agent.ts'
import { callIn } from '../kit/parts/look.ts'
import { unknownOf } from '../kit/read-json.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { blocksOf, textOf, wordsOf, type Words } from './messages.ts'
import { noticeOp } from './notice.ts'
import { printedIn } from './printed.ts'
import { hearReplay } from './result.ts'
import { act, agentName, remember, type Draft } from './state.ts'
import { meetHelper } from './tasks.ts'
import { hearToolResult, twinOf } from './tool-result.ts'

/** What is said to the model: results of tools, a subagent's task, reminders of Claude Code itself, our own prompts. */
export function hearUser(draft: Draft, words: Words, raw: RawMessage): void {
  const thread = textOf(words['parent_tool_use_id'])
  const uuid = textOf(words['uuid'])
  if (uuid !== null && getIn(draft.state.told, uuid)) return
  if (words['isReplay'] === true && uuid !== null) hearReplay(draft, uuid)
  meetHelper(draft, thread, words)
  const blocks = blocksOf(wordsOf(words['message'])?.['content'])
  const results = blocks.filter(block => block.type === 'result')
  for (const result of results) hearToolResult(draft, thread, result, twinOf(words, results.length))
  // Results are taken back with the calls they belong to, so they have no keys of their own.
  if (uuid !== null && results.length > 0)
    remember(draft, { told: setIn(draft.state.told, uuid, { thread, keys: [] }) })
  for (const block of blocks) {
    if (block.type === 'text') hearText(draft, thread, block.text, words)
    else if (block.type === 'other' && words['isReplay'] !== true)
      act(draft, [unknownOf(agentName, `block/${block.kind}`, raw, block.native)], thread)
  }
}

/** Words to the model are shown as a line beside the answer, except those that a person knows already. */
function hearText(draft: Draft, thread: Thread, text: string, words: Words): void {
  const printed = printedIn(text)
  if (printed !== null) return act(draft, printed, thread)
  if (words['isReplay'] === true || interrupted.has(text) || isTask(draft, thread, text)) return
  say(draft, thread, words['isSynthetic'] === true ? 'reminder' : 'told-to-model', text)
}

/** The end of the answer says that it was interrupted. */
export const interrupted: ReadonlySet<string> = new Set([
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
])

/** A subagent's task stands in the call that started it. */
export function isTask(draft: Draft, thread: Thread, text: string): boolean {
  if (thread === null) return false
  const asked = getIn(draft.state.helpers, thread)?.prompt
  return text === (asked ?? wordsOf(callIn(draft.state.parts, thread)?.input)?.['prompt'])
}

function say(draft: Draft, thread: Thread, code: string, text: string): void {
  act(draft, [noticeOp('info', code, text.trim())], thread)
}
