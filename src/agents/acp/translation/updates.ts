import type { JsonObject } from '../messages.ts'
import { objectOf, textOf, listOf } from '../messages.ts'
import { applyCall, applyCallContent, applyTerminalUpdate } from './calls.ts'
import { beginAnswer, endAnswer, reasonOf } from './endings.ts'
import {
  applyCompaction,
  applyCompactionSummary,
  applyMode,
  applyNotice,
  applyPlan,
  mention,
  mentionUnknown,
} from './notices.ts'
import { reportSession } from './session-facts.ts'
import { change, isAtWork, type Draft } from './state.ts'
import { showTodos } from './todos.ts'
import { withContext } from './usage.ts'
import { endPiece, applyWholeText, applyText } from './text.ts'

type Apply = (draft: Draft, update: JsonObject) => void

const quiet: Apply = () => undefined

/** Updates of the conversation; while an old one is replayed, the journal has them already. */
const conversation = new Map<string, Apply>([
  ['agent_message_chunk', (draft, update) => applyText(draft, 'text', update)],
  ['agent_thought_chunk', (draft, update) => applyText(draft, 'thinking', update)],
  ['agent_message', (draft, update) => applyWholeText(draft, 'text', update)],
  ['agent_thought', (draft, update) => applyWholeText(draft, 'thinking', update)],
  ['tool_call', applyCall],
  ['tool_call_update', applyCall],
  ['tool_call_content_chunk', applyCallContent],
  ['terminal_update', applyTerminalUpdate],
  ['terminal_output_chunk', applyTerminalUpdate],
  ['plan', (draft, { entries }) => mention(draft, showTodos(listOf(entries)))],
  ['plan_update', applyPlan],
  ['plan_removed', draft => mention(draft, showTodos([]))],
  ['compaction_update', applyCompaction],
  ['compaction_summary_chunk', applyCompactionSummary],
  ['state_update', applyState],
  // Prompts are ours, so the journal has them.
  ['user_message_chunk', quiet],
  ['user_message', quiet],
])

/** Updates about the session, at any time. */
const circumstances = new Map<string, Apply>([
  ['usage_update', applyUsage],
  ['notice', applyNotice],
  ['current_mode_update', applyMode],
  ['config_option_update', (draft, update) => reportSession(draft, update)],
  ['session_info_update', applyInfo],
  // Commands that a person could type are not part of the conversation.
  ['available_commands_update', quiet],
])

/** Applies an update of the session. */
export function applyUpdate(draft: Draft, params: JsonObject): void {
  const update = objectOf(params['update'])
  const kind = textOf(update['sessionUpdate']) ?? 'untyped'
  const apply = conversation.get(kind)
  if (apply === undefined) {
    const other = circumstances.get(kind)
    if (other === undefined) return mentionUnknown(draft, kind, update)
    // The state of another session does not affect ours.
    return draft.state.seldom.thread === null || kind === 'notice' ? other(draft, update) : undefined
  }
  if (!isReplay(draft)) apply(draft, update)
}

/** The answer to our load request should end the replay; Gemini CLI continues, so it lasts until our next prompt. */
function isReplay({ state }: Draft): boolean {
  return state.replaying && (state.prompts.length === 0 || isLoading(state))
}

/** Whether the agent has not answered our load request yet. */
export function isLoading({ asked }: Draft['state']): boolean {
  for (const { method } of asked.values()) if (loads(method)) return true
  return false
}

/** Whether one of our requests makes the agent replay a conversation. */
export function loads(method: string): boolean {
  return method === 'session/load' || method === 'session/resume'
}

/** In version 2, state updates report that the agent works or is idle. */
function applyState(draft: Draft, update: JsonObject): void {
  const { state } = update
  if (state === 'running') {
    const prompts = draft.state.prompts.map(prompt => ({ ...prompt, taken: true }))
    const isUnasked = !isAtWork(draft.state)
    change(draft, { prompts, working: prompts.length === 0 })
    if (isUnasked) beginAnswer(draft)
  }
  if (state !== 'idle') return
  const waiting = draft.state.prompts.filter(({ taken }) => !taken)
  if (!draft.state.working && waiting.length === draft.state.prompts.length) return
  endAnswer(draft, update, reasonOf(draft, update))
  change(draft, { working: false, prompts: waiting })
  if (waiting.length > 0) beginAnswer(draft)
}

function applyUsage(draft: Draft, update: JsonObject): void {
  change(draft, { usage: withContext(draft.state.usage, update) })
  const model = textOf(objectOf(update['_meta'])['_claude/model'])
  if (model !== undefined) reportSession(draft, {}, { model })
}

/** Codex reports a failed turn as a normal end, but reports the failure here. */
function applyInfo(draft: Draft, update: JsonObject): void {
  const { threadStatus } = objectOf(objectOf(update['_meta'])['codex'])
  const { type } = objectOf(threadStatus)
  if (type !== 'systemError') return
  // The next text is the error.
  endPiece(draft)
  change(draft, { trouble: type })
}
