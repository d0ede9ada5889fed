import type { Todo } from '../../protocol/data-parts.ts'
import type { Op } from '../kit/parts.ts'
import type { Ending } from '../kit/parts/op.ts'
import { getIn } from '../kit/persistent-map.ts'
import { endWaiting } from './calls.ts'
import { failureOf, errorText } from './failure.ts'
import { asObject, listOf, numberOf, objectOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { beginAnswer, inOrder, perform, remark } from '../kit/telling.ts'
import { notice } from './notice.ts'
import { threadAt, changeThread, nativeThread, type NativeThread, type State, type Step } from './state.ts'
import { subagentEnds, subagentNews } from './subagents.ts'
import { difference, tokensBetween, totalsOf, usageOp } from './usage.ts'
import { retractWords } from './words.ts'

/** A turn begins. The first message of a subagent begins only with a word, when it is known whose it is. */
export function turnStarted(state: State, params: Fields): Step {
  const threadId = textOf(params, 'threadId')
  const native = nativeThread(state, threadId)
  const turn = textOf(objectOf(params, 'turn'), 'id')
  const begun = changeThread(state, threadId, {
    turn,
    running: true,
    words: [],
    base: native.total,
    diff: '',
  })
  if (native.thread === null) return beginAnswer(begun)
  const hasSpoken = getIn(state.parts.threads, native.thread) !== undefined
  return inOrder(subagentNews(begun, native, { status: 'running' }), next =>
    hasSpoken ? perform(next, { ...native, running: true }, [{ type: 'begin' }]) : [next, []],
  )
}

/** A turn is over. Its items are told only in part here, so nothing is made of them. */
export function turnCompleted(state: State, params: Fields): Step {
  const threadId = textOf(params, 'threadId')
  const turn = objectOf(params, 'turn')
  const reason = reasons[textOf(turn, 'status')] ?? 'finished'
  const native = nativeThread(state, threadId)
  const { total } = native
  const finish: Op = { type: 'finish', reason, ...endingOf(native, turn, reason) }
  return inOrder(
    endWaiting(state, threadId, reason === 'finished'),
    next => perform(next, native, [finish]),
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
 * A request to the model is over. The sums are those of the thread, so the turn used what they have grown by; the figures of
 * the last request are sometimes repeated, and count only where no earlier sum is known.
 */
export function tokenUsage(state: State, params: Fields): Step {
  const threadId = textOf(params, 'threadId')
  const native = nativeThread(state, threadId)
  const { total, before } = totalsOf(objectOf(params, 'tokenUsage'))
  const isOfTurn = native.turn !== null && native.turn === textOf(params, 'turnId')
  if (!isOfTurn) return [changeThread(state, threadId, { total }), []]
  const base = native.base ?? before
  const next = changeThread(state, threadId, { total, base })
  const usage = usageOp(tokensBetween(base, total), state.parts.session.model)
  return perform(next, native, native.running ? [usage, { type: 'step-end' }] : [usage])
}

/** The plan as it stands now. */
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

/** All that the turn has changed in files, told again after every request to the model. */
export function diffUpdated(state: State, params: Fields): Step {
  const threadId = textOf(params, 'threadId')
  const diff = textOf(params, 'diff')
  if (diff === nativeThread(state, threadId).diff) return [state, []]
  const data = { level: 'info', code: 'turn-diff', message: diff } as const
  const chunk = { type: 'data-notice', id: 'turn-diff', data } as const
  return remark(changeThread(state, threadId, { diff }), threadAt(state, threadId), [{ type: 'show', chunk }])
}

/** Something went wrong. What is final is told again at the end of the turn; before a new try, cut words are taken back. */
export function errorTold(state: State, params: Fields): Step {
  if (params['willRetry'] !== true) return [state, []]
  const threadId = textOf(params, 'threadId')
  const again = notice('warning', 'retrying', errorText(objectOf(params, 'error')))
  return inOrder(retractWords(state, threadId), next => remark(next, threadAt(next, threadId), [again]))
}
