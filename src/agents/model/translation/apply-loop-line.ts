import type { Thread } from '../../../protocol/chunk.ts'
import { isSpeaking } from '../../kit/parts/look.ts'
import type { AgentLine } from '../lines.ts'
import { initialWire } from '../wire/wire-event.ts'
import { settleResponse } from './apply-wire-event.ts'
import { isSpent } from './spending.ts'
import { note, noTokens, emit, type Draft } from './state.ts'

type Handlers = {
  readonly [Kind in AgentLine['dragoman']]: (
    draft: Draft,
    line: Extract<AgentLine, { readonly dragoman: Kind }>,
  ) => void
}

/** A line of our own loop. */
export function applyLoopLine(draft: Draft, line: AgentLine): void {
  const handle = handlers[line.dragoman] as (draft: Draft, line: AgentLine) => void
  handle(draft, line)
}

const handlers: Handlers = {
  hello(draft, { session: agentSession, model, cwd, prices }) {
    note(draft, { prices })
    emit(draft, null, [{ type: 'session', data: { agentSession, model, cwd } }])
  },
  begin(draft) {
    finishLeft(draft)
    note(draft, { spent: noTokens, cost: null, spentBy: new Map(), outputs: new Map() })
    emit(draft, null, [{ type: 'begin' }])
  },
  response(draft, { request, thread, api }) {
    settleThread(draft, thread)
    const wire = initialWire(api)
    const blank = { emitted: new Set<string>(), calls: new Map(), ids: new Map(), theirs: new Map() }
    const response = { thread, wire, model: null, tokens: noTokens, ...blank }
    const { responses, inStep } = draft.state
    if (inStep.has(thread)) emit(draft, thread, [{ type: 'step-end' }])
    note(draft, {
      responses: new Map(responses).set(request, response),
      inStep: new Set(inStep).add(thread),
      current: request,
    })
  },
  from: (draft, { request }) => note(draft, { current: request }),
  refused: (draft, { thread }) => settleThread(draft, thread),
  retry(draft, { request, thread, seconds, reason }) {
    const keys = [...(draft.state.responses.get(request)?.emitted ?? [])]
    settleResponse(draft, request)
    const inStep = new Set([...draft.state.inStep].filter(each => each !== thread))
    note(draft, { inStep })
    const message = `${reason} Trying again in ${seconds} s.`
    emit(draft, thread, [
      ...(keys.length === 0 ? [] : [{ type: 'retract', keys } as const]),
      { type: 'show', chunk: { type: 'data-notice', data: { level: 'warning', code: 'retrying', message } } },
    ])
  },
  ask: (draft, { thread, call, approval }) => emit(draft, thread, [{ type: 'ask', call, approval }]),
  input: (draft, { thread, call, tool, input }) =>
    emit(draft, thread, [{ type: 'call-ready', call, tool, input }]),
  output(draft, { thread, call, text }) {
    const output = (draft.state.outputs.get(call) ?? '') + text
    note(draft, { outputs: new Map(draft.state.outputs).set(call, output) })
    emit(draft, thread, [{ type: 'result', call, output: { output: ending(output) }, preliminary: true }])
  },
  result(draft, { thread, call, output }) {
    forgetOutput(draft, call)
    emit(draft, thread, [{ type: 'result', call, output }])
  },
  failure(draft, { thread, call, error }) {
    forgetOutput(draft, call)
    emit(draft, thread, [{ type: 'failure', call, error }])
  },
  todos: (draft, { thread, todos }) =>
    emit(draft, thread, [{ type: 'show', chunk: { type: 'data-todos', id: 'todos', data: { todos } } }]),
  subagent: (draft, { thread, call, description }) =>
    emit(draft, thread, [
      { type: 'subagent', call, news: { agent: 'delegate', description, status: 'running' } },
    ]),
  'subagent-end'(draft, { thread, call, status }) {
    settleThread(draft, call)
    note(draft, { inStep: new Set([...draft.state.inStep].filter(each => each !== call)) })
    emit(draft, thread, [{ type: 'subagent', call, news: { status } }])
  },
  notice: (draft, { thread, level, code, message }) =>
    emit(draft, thread, [{ type: 'show', chunk: { type: 'data-notice', data: { level, code, message } } }]),
  done(draft, { reason, finishReason, error, duration }) {
    for (const request of draft.state.responses.keys()) settleResponse(draft, request)
    const { spent, cost } = draft.state
    const amount = { ...(isSpent(spent) && { tokens: spent }), ...(cost !== null && { cost }) }
    const ending = { reason, duration, ...amount, ...(finishReason && { finishReason }) }
    note(draft, { current: null, inStep: new Set() })
    emit(draft, null, [{ type: 'finish', ...ending, ...(error !== undefined && { error }) }])
  },
}

/** The usage of a thread's earlier response is counted when the next begins, or at the end. */
function settleThread(draft: Draft, thread: Thread): void {
  for (const [request, response] of draft.state.responses)
    if (response.thread === thread) settleResponse(draft, request)
}

/** An answer without an end is over when the next begins. */
export function finishLeft(draft: Draft): void {
  if (isSpeaking(draft.state.parts)) emit(draft, null, [{ type: 'finish', reason: 'interrupted' }])
  note(draft, { current: null, responses: new Map(), inStep: new Set() })
}

function forgetOutput(draft: Draft, call: string): void {
  if (!draft.state.outputs.has(call)) return
  note(draft, { outputs: new Map([...draft.state.outputs].filter(([each]) => each !== call)) })
}

const shownOutput = 16 * 1024

const ending = (text: string) => (text.length <= shownOutput ? text : `…${text.slice(-shownOutput)}`)
