import type { JsonObject } from '../messages.ts'
import { objectOf, textOf, listOf } from '../messages.ts'
import { hearCall, hearCallContent, hearTerminalUpdate } from './calls.ts'
import { beginAnswer, endAnswer, reasonOf } from './endings.ts'
import {
  hearCompaction,
  hearCompactionSummary,
  hearMode,
  hearNotice,
  hearPlan,
  mention,
  mentionUnknown,
} from './notices.ts'
import { tellSession } from './session-facts.ts'
import { change, isAtWork, type Draft } from './state.ts'
import { showTodos } from './todos.ts'
import { withContext } from './usage.ts'
import { endPiece, hearWholeWords, hearWords } from './words.ts'

type Hear = (draft: Draft, update: JsonObject) => void

const quiet: Hear = () => undefined

/** What tells a conversation; while an old one is told again, we have all of it already. */
const conversation = new Map<string, Hear>([
  ['agent_message_chunk', (draft, update) => hearWords(draft, 'text', update)],
  ['agent_thought_chunk', (draft, update) => hearWords(draft, 'thinking', update)],
  ['agent_message', (draft, update) => hearWholeWords(draft, 'text', update)],
  ['agent_thought', (draft, update) => hearWholeWords(draft, 'thinking', update)],
  ['tool_call', hearCall],
  ['tool_call_update', hearCall],
  ['tool_call_content_chunk', hearCallContent],
  ['terminal_update', hearTerminalUpdate],
  ['terminal_output_chunk', hearTerminalUpdate],
  ['plan', (draft, { entries }) => mention(draft, showTodos(listOf(entries)))],
  ['plan_update', hearPlan],
  ['plan_removed', draft => mention(draft, showTodos([]))],
  ['compaction_update', hearCompaction],
  ['compaction_summary_chunk', hearCompactionSummary],
  ['state_update', hearState],
  // Prompts are ours, so we have them.
  ['user_message_chunk', quiet],
  ['user_message', quiet],
])

/** What tells about the session, at any time. */
const circumstances = new Map<string, Hear>([
  ['usage_update', hearUsage],
  ['notice', hearNotice],
  ['current_mode_update', hearMode],
  ['config_option_update', (draft, update) => tellSession(draft, update)],
  ['session_info_update', hearInfo],
  // What a person could type next says nothing about what happened.
  ['available_commands_update', quiet],
])

/** Hears what the agent tells about the session. */
export function hearUpdate(draft: Draft, params: JsonObject): void {
  const update = objectOf(params['update'])
  const kind = textOf(update['sessionUpdate']) ?? 'untyped'
  const hear = conversation.get(kind)
  if (hear === undefined) {
    const other = circumstances.get(kind)
    if (other === undefined) return mentionUnknown(draft, kind, update)
    // How another session stands changes nothing in ours.
    return draft.state.scene.thread === null || kind === 'notice' ? other(draft, update) : undefined
  }
  if (!isReplay(draft)) hear(draft, update)
}

/** The answer to our wish to load should end the telling; Gemini CLI tells on, so it lasts until our next prompt. */
function isReplay({ state }: Draft): boolean {
  return state.replaying && (state.prompts.length === 0 || isLoading(state))
}

/** Whether the agent still owes the answer to our wish to load. */
export function isLoading({ asked }: Draft['state']): boolean {
  for (const { method } of asked.values()) if (loads(method)) return true
  return false
}

/** Whether a request of ours makes the agent tell an old conversation. */
export function loads(method: string): boolean {
  return method === 'session/load' || method === 'session/resume'
}

/** How version 2 tells that the agent works and rests; a prompt alone does not say. */
function hearState(draft: Draft, update: JsonObject): void {
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

function hearUsage(draft: Draft, update: JsonObject): void {
  change(draft, { usage: withContext(draft.state.usage, update) })
  const model = textOf(objectOf(update['_meta'])['_claude/model'])
  if (model !== undefined) tellSession(draft, {}, { model })
}

/** Codex calls a failed turn an end like any other, but tells here that it was none. */
function hearInfo(draft: Draft, update: JsonObject): void {
  const { threadStatus } = objectOf(objectOf(update['_meta'])['codex'])
  const { type } = objectOf(threadStatus)
  if (type !== 'systemError') return
  // What it says next is the error.
  endPiece(draft)
  change(draft, { trouble: type })
}
