import type { Thread } from '../../../protocol/chunk.ts'
import type { DataParts } from '../../../protocol/data-parts.ts'
import { getIn } from '../persistent-map.ts'
import { endCall, failWaiting, reach } from './calls.ts'
import { deliver, finishMessage } from './messages.ts'
import type { Ending } from './op.ts'
import { callOf, changeCall, changeThread, threadOf, toggled, type Draft } from './state.ts'
import { endWords } from './words.ts'

type Subagent = DataParts['subagent']

/** Makes sure that a thread belongs to a tool call of another thread, and that a subagent is shown there. */
export function prepareThread(draft: Draft, thread: Thread): void {
  if (thread === null || getIn(draft.parts.threads, thread)) return
  showSubagent(draft, null, thread, {})
  const parent = callOf(draft, thread)?.thread ?? null
  changeThread(draft, thread, { parent, depth: threadOf(draft, parent).depth + 1 })
}

/** Shows an update about a subagent at the call that started it. The subagent's end also ends its thread. */
export function showSubagent(draft: Draft, thread: Thread, id: string, news: Partial<Subagent>): void {
  const ends = news.status !== undefined && news.status !== 'running'
  if (ends && getIn(draft.parts.threads, id)) finishThread(draft, id, { reason: reasons[news.status] })
  const { lastWords, calls } = threadOf(draft, id)
  reach(draft, thread, id, call => {
    const before = call.subagent ?? { ...newSubagent, agent: call.tool }
    const counted = {
      toolCalls: Math.max(calls, before.toolCalls),
      ...(ends && lastWords !== null ? { lastWords } : {}),
    }
    const data = { ...before, ...counted, ...news }
    if (call.subagent && same(call.subagent, data)) return
    changeCall(draft, id, { ...call, subagent: data })
    const running = toggled(draft.parts.running, id, data.status === 'running')
    draft.parts = { ...draft.parts, running }
    deliver(draft, call.thread, call.message, { type: 'data-subagent', id, data }, `data-subagent ${id}`)
  })
}

const reasons = {
  completed: 'finished',
  failed: 'failed',
  stopped: 'interrupted',
  running: 'finished',
} as const

const newSubagent: Subagent = {
  agent: '',
  description: '',
  status: 'running',
  toolCalls: 0,
  tokens: null,
  cost: null,
  lastWords: null,
}

function same(a: Subagent, b: Subagent): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Ends a thread's answer: closes open parts, and stops subagents if the answer did not finish. */
export function finishThread(draft: Draft, thread: Thread, ending: Ending): void {
  const broken = ending.reason === 'finished' || ending.pauses === true ? null : ending.reason
  if (broken !== null) stopSubagents(draft, thread, broken)
  if (thread !== null && !threadOf(draft, thread).message) return
  closePieces(draft, thread)
  if (broken !== null) failWaiting(draft, thread, noResult[broken])
  finishMessage(draft, thread, ending)
}

const noResult = {
  interrupted: 'Interrupted before there was a result.',
  failed: 'The answer failed before there was a result.',
}

function stopSubagents(draft: Draft, thread: Thread, reason: 'interrupted' | 'failed'): void {
  const status = reason === 'failed' ? 'failed' : 'stopped'
  const inside = [...draft.parts.running].filter(id => isInside(draft, id, thread))
  const depth = (id: string) => threadOf(draft, id).depth
  for (const id of inside.toSorted((a, b) => depth(b) - depth(a))) showSubagent(draft, null, id, { status })
}

function isInside(draft: Draft, id: string, thread: Thread): boolean {
  let at = callOf(draft, id)?.thread ?? null
  while (at !== thread && at !== null) at = threadOf(draft, at).parent
  return at === thread
}

/** Closes everything that is being streamed in a thread. */
export function closePieces(draft: Draft, thread: Thread): void {
  for (const [name, { kind, id }] of threadOf(draft, thread).message?.open ?? []) {
    if (kind === 'call') endCall(draft, thread, id)
    else endWords(draft, thread, name, undefined)
  }
}
