import type { FinishReason } from '../../protocol/chunk.ts'
import { numberOf, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'
import { apply, beginAnswer, inOrder, notice, remark, type Op } from '../kit/parts.ts'
import type { Ending } from '../kit/parts/op.ts'
import { callIn } from '../kit/parts/look.ts'
import { getIn } from '../kit/persistent-map.ts'
import {
  blankAnswer,
  changeSession,
  nativeSession,
  type NativeSession,
  type State,
  type Step,
  type Trouble,
} from './state.ts'
import { subagentEnds, subagentNews } from './subagents.ts'
import { costOf, tokensOf, usageOp, withStep } from './usage.ts'
import { retractOpen } from './text.ts'

/** A session is at work, idle, or about to retry. */
export function applyStatus(state: State, properties: Fields): Step {
  const sessionID = textOf(properties, 'sessionID')
  const status = objectOf(properties, 'status')
  const type = textOf(status, 'type')
  if (type === 'busy') return atWork(state, sessionID)
  if (type === 'retry') return retrying(state, sessionID, status)
  // A separate event follows.
  return [state, []]
}

/** Begins an answer, unless one is at work. The first message of a subagent begins only with its first part. */
export function atWork(state: State, sessionID: string): Step {
  const native = nativeSession(state, sessionID)
  if (native.running) return [state, []]
  const begun = changeSession(state, sessionID, blankAnswer)
  if (native.thread === null) return beginAnswer(begun)
  const hasSpoken = getIn(state.parts.threads, native.thread) !== undefined
  return inOrder(subagentNews(begun, native, { status: 'running' }), next =>
    hasSpoken ? apply(next, { ...native, running: true }, [{ type: 'begin' }]) : [next, []],
  )
}

function retrying(state: State, sessionID: string, status: Fields): Step {
  const { thread } = nativeSession(state, sessionID)
  const again = notice('warning', 'retrying', sentenceIn(textOf(status, 'message')))
  return inOrder(retractOpen(state, sessionID), next => remark(next, thread, [again]))
}

/** A provider's message may be its whole response in JSON, with the error message inside. */
function sentenceIn(message: string): string {
  const body = message.startsWith('{') ? parseJson(message) : undefined
  const inner = typeof body === 'object' && body !== null ? (body as Fields)['message'] : undefined
  return typeof inner === 'string' ? inner : message
}

/** A request to the model begins. After an error, the answer continues. */
export function stepStarted(state: State, sessionID: string): Step {
  const { error, thread } = nativeSession(state, sessionID)
  const next = changeSession(state, sessionID, { open: [], ...(error && { error: null }) })
  return error ? remark(next, thread, [notice('warning', error.name, error.message)]) : [next, []]
}

/** A request to the model ended. */
export function stepFinished(state: State, sessionID: string, part: Fields): Step {
  const native = nativeSession(state, sessionID)
  const used = withStep(native.used, part)
  const next = changeSession(state, sessionID, { used, open: [], reason: textOf(part, 'reason') })
  const usage = usageOp(used, native.model)
  return apply(next, native, native.running ? [usage, { type: 'step-end' }] : [usage])
}

/** An error. Whether it ends the answer shows when the session is idle, or continues. */
export function applyError(state: State, properties: Fields): Step {
  const sessionID = textOf(properties, 'sessionID')
  const error = troubleIn(objectOf(properties, 'error'))
  if (sessionID !== '') return [changeSession(state, sessionID, { error }), []]
  return remark(state, null, [notice('error', error.name, error.message)])
}

/** Reads an error of OpenCode. */
export function troubleIn(error: Fields): Trouble {
  const data = objectOf(error, 'data')
  const status = numberOf(data, 'statusCode')
  const message = textOf(data, 'message') || textOf(error, 'message') || textOf(error, 'name') || 'It failed.'
  return {
    name: textOf(error, 'name') || 'error',
    message: status === 0 ? message : `${message} (HTTP ${status})`,
  }
}

/**
 * A session is idle: its answer is over. When it was stopped or failed this comes twice, the first time before the
 * last updates of its parts, which then are placed in the finished message.
 */
export function idle(state: State, properties: Fields): Step {
  const sessionID = textOf(properties, 'sessionID')
  const native = nativeSession(state, sessionID)
  if (!native.running) return [state, []]
  const ending = endingOf(native)
  const { input, output, reasoning, cacheRead, cacheWrite } = native.used
  const tokens = input + output + reasoning + cacheRead + cacheWrite
  const ended = changeSession(state, sessionID, { running: false, open: [], error: null })
  return inOrder(
    apply(ended, { ...native, running: true }, [...withInput(state, native), { type: 'finish', ...ending }]),
    next =>
      subagentEnds(next, native, { status: statuses[ending.reason], tokens, cost: costOf(native.used) }),
  )
}

/** A call whose input never came gets an empty one: its end may still be reported. */
function withInput(state: State, { open }: NativeSession): readonly Op[] {
  return open.flatMap((call): readonly Op[] => {
    const known = callIn(state.parts, call)
    return known?.state === 'streaming' ? [{ type: 'call-ready', call, tool: known.tool, input: {} }] : []
  })
}

const statuses = { finished: 'completed', interrupted: 'stopped', failed: 'failed' } as const

function endingOf({ error, used, began, ended, reason }: NativeSession): Ending {
  const common = {
    cost: costOf(used),
    tokens: tokensOf(used),
    ...(ended > began && began > 0 ? { duration: ended - began } : {}),
    metadata: { opencode: { reasoningTokens: used.reasoning } },
  }
  if (error?.name === 'MessageAbortedError') return { reason: 'interrupted', ...common }
  if (error) return { reason: 'failed', ...common, error: { kind: error.name, message: error.message } }
  const finishReason = finishReasons[reason]
  return { reason: 'finished', ...common, ...(finishReason && { finishReason }) }
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  'content-filter': 'content-filter',
  'tool-calls': 'tool-calls',
  error: 'error',
  other: 'other',
  unknown: 'other',
}
