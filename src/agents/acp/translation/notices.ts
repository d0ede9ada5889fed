import type { DataParts } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'
import { showStrange, type strangeIn } from '../../kit/known-fields.ts'
import { notice, type Op } from '../../kit/parts.ts'
import { listOf, objectOf, textIn, textOf, type JsonObject } from '../messages.ts'
import { beginning } from './sessions.ts'
import { change, changeSeldom, emit, type Draft } from './state.ts'
import { showTodos } from './todos.ts'

type Notice = DataParts['notice']

/** Shows something in the current answer or the last one. It begins an answer only when there was none. */
export function mention(draft: Draft, op: Op): void {
  emit(draft, [...beginning(draft.state), op])
}

/** Shows a notice in the current answer or the last one. */
export function notify(draft: Draft, level: Notice['level'], code: string, message: string): void {
  mention(draft, notice(level, code, message))
}

/** Shows a message of an unknown kind. */
export function mentionUnknown(draft: Draft, kind: string, native: Json): void {
  const { agent } = draft.state.parts.session
  mention(draft, { type: 'show', chunk: { type: 'data-unknown', data: { agent, kind, native } } })
}

/** Shows unknown fields. */
export function mentionStrange(draft: Draft, strange: ReturnType<typeof strangeIn>): void {
  const { parts, seldom } = draft.state
  const { ops, shown } = showStrange(parts.session.agent, seldom.shown, strange)
  changeSeldom(draft, { shown })
  for (const op of ops) mention(draft, op)
}

/** A notice of the agent. */
export function applyNotice(draft: Draft, { severity, title, description }: JsonObject): void {
  const level = severity === 'error' || severity === 'warning' ? severity : 'info'
  const message = [textOf(title), textOf(description)].filter(text => text !== undefined).join('\n')
  notify(draft, level, 'agent-notice', message)
}

/** A change of the agent's mode. */
export function applyMode(draft: Draft, { currentModeId }: JsonObject): void {
  if (typeof currentModeId === 'string') notify(draft, 'info', 'mode-changed', `Mode: ${currentModeId}`)
}

/** A plan of version 2, which is a list, a text or a file. */
export function applyPlan(draft: Draft, update: JsonObject): void {
  const plan = objectOf(update['plan'])
  const { type, entries, content, uri } = plan
  if (type === 'items') return mention(draft, showTodos(listOf(entries)))
  if (type === 'markdown' && typeof content === 'string') return notify(draft, 'info', 'plan', content)
  if (type === 'file' && typeof uri === 'string')
    return notify(draft, 'info', 'plan', `The plan is in ${uri}.`)
  mentionUnknown(draft, `plan_update ${textOf(type) ?? ''}`.trim(), update)
}

const compactionLevels: Readonly<Record<string, Notice['level']>> = { failed: 'error', cancelled: 'warning' }

/** An update about a compaction of the agent's context; its summary may come in pieces before. */
export function applyCompaction(draft: Draft, update: JsonObject): void {
  const { compactionId, status, summary, error } = update
  const id = textOf(compactionId) ?? ''
  const text = summary === undefined ? (draft.state.compactions.get(id) ?? '') : textIn(listOf(summary))
  const word = textOf(status) ?? 'unknown'
  const isOver = word !== 'in_progress'
  const more = [isOver ? text : '', textOf(error) ?? ''].filter(Boolean)
  const message = [`The agent compacts its context: ${word.replace('_', ' ')}.`, ...more].join('\n')
  setSummary(draft, id, isOver ? '' : text)
  notify(draft, compactionLevels[word] ?? 'info', 'compaction', message)
}

/** A piece of the summary of a compaction. */
export function applyCompactionSummary(draft: Draft, update: JsonObject): void {
  const id = textOf(update['compactionId']) ?? ''
  const before = draft.state.compactions.get(id) ?? ''
  setSummary(draft, id, before + textIn([update['content'] ?? null]))
}

function setSummary(draft: Draft, id: string, text: string): void {
  const compactions = new Map(draft.state.compactions)
  if (text === '') compactions.delete(id)
  else compactions.set(id, text)
  change(draft, { compactions })
}
