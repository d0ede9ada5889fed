import { inOrder, notice, remark, type Op } from '../kit/parts.ts'
import type { RawMessage } from '../agent.ts'
import { unknownOf } from '../kit/parse-json.ts'
import { beginCall, endCall } from './calls.ts'
import { listOf, objectOf, textOf, wordsIn, type Fields } from '../kit/fields.ts'
import { threadAt, type State, type Step } from './state.ts'
import { activityOf, placed, spawnBegins, spawnEnds } from './subagents.ts'
import { calledBy } from './tool-items.ts'
import { piecesOf, settleWords } from './words.ts'

/** An item begins. Only tool calls are shown at this point. */
export function itemStarted(state: State, params: Fields): Step {
  const threadId = textOf(params, 'threadId')
  const item = objectOf(params, 'item')
  const here = placed(state, threadId)
  const called = isUpdate(item) ? null : calledBy(item)
  if (called === null) return [here, []]
  const begun = beginCall(here, threadId, item, called)
  return isSpawn(item) ? inOrder(begun, next => spawnBegins(next, threadId, item)) : begun
}

/** An item is complete, and has all its fields again. */
export function itemCompleted(state: State, params: Fields, _: number, raw: RawMessage): Step {
  const threadId = textOf(params, 'threadId')
  const item = objectOf(params, 'item')
  const here = placed(state, threadId)
  const pieces = piecesOf(item)
  if (pieces) return settleWords(here, threadId, item, pieces)
  if (textOf(item, 'type') === 'subAgentActivity') return activity(here, threadId, item)
  const called = calledBy(item)
  if (called === null) return otherItem(here, threadId, item, raw)
  const ended = endCall(here, threadId, item, called)
  return isSpawn(item) ? inOrder(ended, next => spawnEnds(next, threadId, item)) : ended
}

function activity(state: State, threadId: string, item: Fields): Step {
  const called = isUpdate(item) ? null : calledBy(item)
  const shown: Step = called ? endCall(state, threadId, item, called) : [state, []]
  return inOrder(shown, next => activityOf(next, threadId, item))
}

const isSpawn = (item: Fields) => textOf(item, 'tool') === 'spawnAgent' && 'senderThreadId' in item

/** Whether an item is only an update about a subagent that another item started. */
const isUpdate = (item: Fields) =>
  textOf(item, 'type') === 'subAgentActivity' && textOf(item, 'kind') !== 'started'

function otherItem(state: State, threadId: string, item: Fields, raw: RawMessage): Step {
  const type = textOf(item, 'type')
  // The prompt was saved when it was sent.
  if (type === 'userMessage') return [state, []]
  const remarked = remarks[type]?.(item)
  return remark(state, threadAt(state, threadId), [remarked ?? unknownOf('codex', `item ${type}`, raw, item)])
}

const remarks: Readonly<Record<string, (item: Fields) => Op>> = {
  contextCompaction: () => notice('info', 'compacted', 'The conversation so far was summed up to make room.'),
  enteredReviewMode: item => notice('info', 'review', textOf(item, 'review')),
  hookPrompt: item => notice('info', 'hook', wordsIn(listOf(item, 'fragments'))),
}
