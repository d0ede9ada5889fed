import type { Todo } from '../../protocol/data-parts.ts'
import { apply, beginAnswer, inOrder, notice, remark, type Op } from '../kit/parts.ts'
import type { Ending } from '../kit/parts/op.ts'
import { getIn } from '../kit/persistent-map.ts'
import { endWaiting } from './calls.ts'
import { failureOf, errorText } from './failure.ts'
import { asObject, listOf, numberOf, objectOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { threadAt, changeThread, nativeThread, type NativeThread, type State, type Step } from './state.ts'
import { subagentEnds, subagentNews } from './subagents.ts'
import { difference, requestBetween, tokensBetween, totalsOf, usageOp } from './usage.ts'
import { retractWords } from './words.ts'

/** A turn begins. The first message of a subagent begins only with its first output, when its parent is known. */
export function turnStarted(state: State, params: Fields): Step {
  const threadId = textOf(params, 'threadId')
  const native = nativeThread(state, threadId)
  const turn = textOf(objectOf(params, 'turn'), 'id')
  const begun = changeThread(state, threadId, {
    turn,
    running: true,
    pieces: [],
    base: native.total,
    diff: '',
  })
  if (native.thread === null) return beginAnswer(begun)
  const hasSpoken = getIn(state.parts.threads, native.thread) !== undefined
  return inOrder(subagentNews(begun, native, { status: 'running' }), next =>
    hasSpoken ? apply(next, { ...native, running: true }, [{ type: 'begin' }]) : [next, []],
  )
}

/** A turn is over. Its items are incomplete here, so they are ignored. */
export function turnCompleted(state: State, params: Fields): Step {
  const threadId = textOf(params, 'threadId')
  const turn = objectOf(params, 'turn')
  const reason = reasons[textOf(turn, 'status')] ?? 'finished'
  const native = nativeThread(state, threadId)
  const { total } = native
  const finish: Op = { type: 'finish', reason, ...endingOf(native, turn, reason) }
  return inOrder(
    endWaiting(state, threadId, reason === 'finished'),
    next => apply(next, native, [finish]),
    next => {
      const ended = changeThread(next, threadId, { running: false })
      const spent = total ? { tokens: total.input + total.output } : {}
      return subagentEnds(ended, native, { status: statuses[reason], ...spent })
    },
  )
}

function endingOf({ base, total }: NativeThread, turn: Fields, reason: Ending['reason']): Partial<Ending> {
  const used = base && total
  const reasoningTokens = used ? difference(total, base).reasoning : null
  return {
    ...('durationMs' in turn ? { duration: numberOf(turn, 'durationMs') } : {}),
    metadata: { codex: { ...('id' in turn ? { turn: textOf(turn, 'id') } : {}), reasoningTokens } },
    ...(used ? { tokens: tokensBetween(base, total) } : {}),
    ...(reason === 'failed' ? { error: failureOf(objectOf(turn, 'error')) } : {}),
  }
}

const reasons: Readonly<Record<string, 'finished' | 'interrupted' | 'failed'>> = {
  completed: 'finished',
  interrupted: 'interrupted',
  failed: 'failed',
}
const statuses = { finished: 'completed', interrupted: 'stopped', failed: 'failed' } as const

/**
 * A request to the model is over. The totals are those of the thread, so the turn used the difference. The usage of the last
 * request is sometimes repeated, so it counts only if no earlier total is known.
 */
export function tokenUsage(state: State, params: Fields, isOneRequest = true): Step {
  const threadId = textOf(params, 'threadId')
  const native = nativeThread(state, threadId)
  const { total, before } = totalsOf(objectOf(params, 'tokenUsage'))
  const isOfTurn = native.turn !== null && native.turn === textOf(params, 'turnId')
  if (!isOfTurn) return [changeThread(state, threadId, { total }), []]
  const base = native.base ?? before
  const next = changeThread(state, threadId, { total, base })
  const request = isOneRequest ? requestBetween(native.total ?? before, total) : undefined
  const usage = usageOp(tokensBetween(base, total), state.parts.session.model, request)
  return apply(next, native, native.running ? [usage, { type: 'step-end' }] : [usage])
}

/** The current plan. */
export function planUpdated(state: State, params: Fields): Step {
  const todos = listOf(params, 'plan').map((step): Todo => {
    const fields = asObject(step)
    return { text: textOf(fields, 'step'), status: todoStatuses[textOf(fields, 'status')] ?? 'pending' }
  })
  const plan: Op = { type: 'show', chunk: { type: 'data-todos', id: 'todos', data: { todos } } }
  const explanation = textOrNull(params, 'explanation')
  const why = explanation === null ? [] : [notice('info', 'plan', explanation)]
  return remark(state, threadAt(state, textOf(params, 'threadId')), [plan, ...why])
}

const todoStatuses: Readonly<Record<string, Todo['status']>> = {
  pending: 'pending',
  inProgress: 'in-progress',
  completed: 'completed',
}

/** All file changes of the turn, which Codex repeats after every request to the model. */
export function diffUpdated(state: State, params: Fields): Step {
  const threadId = textOf(params, 'threadId')
  const diff = textOf(params, 'diff')
  if (diff === nativeThread(state, threadId).diff) return [state, []]
  const changed = notice('info', 'turn-diff', diff, 'turn-diff')
  return remark(changeThread(state, threadId, { diff }), threadAt(state, threadId), [changed])
}

/** An error. A final error comes again at the end of the turn. Before a retry, incomplete text is retracted. */
export function errorReported(state: State, params: Fields): Step {
  if (params['willRetry'] !== true) return [state, []]
  const threadId = textOf(params, 'threadId')
  const again = notice('warning', 'retrying', errorText(objectOf(params, 'error')))
  return inOrder(retractWords(state, threadId), next => remark(next, threadAt(next, threadId), [again]))
}
