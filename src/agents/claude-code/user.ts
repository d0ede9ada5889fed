import type { Thread } from '../../protocol/chunk.ts'
import type { RawMessage } from '../agent.ts'
import { callIn } from '../kit/parts/look.ts'
import { unknownOf } from '../kit/parse-json.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { blocksOf, textOf, fieldsOf, type Fields } from './messages.ts'
import { notice } from '../kit/parts.ts'
import { printedIn } from './printed.ts'
import { applyReplay } from './result.ts'
import { act, agentName, remember, type Draft } from './state.ts'
import { meetHelper } from './tasks.ts'
import { applyToolResult, twinOf } from './tool-result.ts'

/** Messages to the model: results of tools, a subagent's task, reminders of Claude Code, our own prompts. */
export function applyUser(draft: Draft, fields: Fields, raw: RawMessage): void {
  const thread = textOf(fields['parent_tool_use_id'])
  const uuid = textOf(fields['uuid'])
  if (uuid !== null && getIn(draft.state.seen, uuid)) return
  if (fields['isReplay'] === true && uuid !== null) applyReplay(draft, uuid)
  meetHelper(draft, thread, fields)
  const blocks = blocksOf(fieldsOf(fields['message'])?.['content'])
  const results = blocks.filter(block => block.type === 'result')
  for (const result of results) applyToolResult(draft, thread, result, twinOf(fields, results.length))
  // Results are retracted with their calls, so they have no separate keys.
  if (uuid !== null && results.length > 0)
    remember(draft, { seen: setIn(draft.state.seen, uuid, { thread, keys: [] }) })
  for (const block of blocks) {
    if (block.type === 'text') applyText(draft, thread, block.text, fields)
    else if (block.type === 'other' && fields['isReplay'] !== true)
      act(draft, [unknownOf(agentName, `block/${block.kind}`, raw, block.native)], thread)
  }
}

/** Texts to the model are shown as notices, except those that a person knows already. */
function applyText(draft: Draft, thread: Thread, text: string, fields: Fields): void {
  const printed = printedIn(text)
  if (printed !== null) return act(draft, printed, thread)
  if (fields['isReplay'] === true || interrupted.has(text) || isTask(draft, thread, text)) return
  notify(draft, thread, fields['isSynthetic'] === true ? 'reminder' : 'told-to-model', text)
}

/** The end of the answer shows the interrupt. */
export const interrupted: ReadonlySet<string> = new Set([
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
])

/** A subagent's task is in the call that started it. */
export function isTask(draft: Draft, thread: Thread, text: string): boolean {
  if (thread === null) return false
  const asked = getIn(draft.state.helpers, thread)?.prompt
  return text === (asked ?? fieldsOf(callIn(draft.state.parts, thread)?.input)?.['prompt'])
}

function notify(draft: Draft, thread: Thread, code: string, text: string): void {
  act(draft, [notice('info', code, text.trim())], thread)
}
