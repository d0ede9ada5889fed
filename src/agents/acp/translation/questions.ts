import type { Json } from '../../../protocol/json.ts'
import type { Op } from '../../kit/parts.ts'
import { getIn, setIn } from '../../kit/persistent-map.ts'
import {
  approvalOf,
  idWord,
  isObject,
  objectOf,
  optionsOf,
  same,
  textOf,
  type JsonObject,
} from '../messages.ts'
import { questionInput } from '../questions.ts'
import { inputOf, withFacts } from './call-facts.ts'
import { callNamed, callOf, readyOp, showCall } from './calls.ts'
import { inSession } from './sessions.ts'
import { change, emit, type Call, type Draft, type Question } from './state.ts'
import { todosIn } from './todos.ts'
import { endPiece } from './text.ts'

/** Asks a person whether a call may run. The request may be the first message about the call. */
export function applyPermissionRequest(draft: Draft, request: Json, params: JsonObject): void {
  const subject = objectOf(params['subject'])
  const requested = objectOf(params['toolCall'] ?? subject['toolCall'])
  const id = callToAsk(draft, request, callNamed(draft, requested))
  const before = getIn(draft.state.calls, id)
  if (before === undefined) endPiece(draft)
  const facts = Object.keys(requested).length > 0 ? requested : factsOfSubject(params, subject)
  const asked = askedCall(id, before, facts, params)
  change(draft, { calls: setIn(draft.state.calls, id, asked) })
  const input = inputOf(asked)
  const todos = before === undefined ? todosIn(asked.input) : null
  const reported = hasInput(before) ? before.input : input
  const ready = readyOp(id, asked, reported)
  emit(draft, [ready, ...(todos === null ? [] : [todos])])
  ask(draft, request, { type: 'permission', call: id, options: optionsOf(params) }, { input, about: ready })
}

/** A question about an ended call gets its own call, and so does a request without a call. */
function callToAsk(draft: Draft, request: Json, named: string | undefined): string {
  const known = named === undefined ? undefined : getIn(draft.state.calls, named)
  const isOver = known?.status === 'done' || known?.status === 'failed'
  if (named !== undefined && !isOver) return named
  return `${draft.state.parts.connection}.call-${idWord(request)}`
}

function factsOfSubject(params: JsonObject, subject: JsonObject): JsonObject {
  const { type, ...command } = subject
  return {
    name: textOf(type) ?? 'permission',
    title: textOf(params['title']) ?? null,
    rawInput: type === 'command' ? command : subject,
  }
}

/**
 * What a person is asked about: the input of the request is used, also where the call was reported with another one.
 */
function askedCall(id: string, before: Call | undefined, reported: JsonObject, params: JsonObject): Call {
  const { status: _, ...facts } = reported
  const { content, ...rest } = facts
  const call = withFacts(id, before, { ...rest, ...(content === undefined || before ? {} : { content }) })
  const permission = permissionOf(call, facts, params)
  return { ...call, asks: true, permission }
}

const hasInput = (call: Call | undefined): call is Call & { readonly input: Json } =>
  call?.input !== undefined && !same(call.input, {})

/** The request itself: its possible answers, and what it shows in addition to the call. */
function permissionOf(call: Call, { content }: JsonObject, params: JsonObject): Json {
  const { options = [], title, description, subject } = params
  return {
    options,
    ...(subject === undefined || params['toolCall'] === undefined ? {} : { subject }),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(content === undefined || same(call.content, content) ? {} : { content }),
  }
}

/** Asks a person a question: in the call that asks it, if there is one, or in its own call. */
export function applyElicitation(draft: Draft, request: Json, params: JsonObject): void {
  const asking = callNamed(draft, params) ?? ''
  const known = getIn(draft.state.calls, asking)
  const isQuestion = known?.status === 'waiting' || known?.status === 'running' ? hasQuestions(known) : false
  if (known !== undefined && isQuestion) {
    change(draft, { calls: setIn(draft.state.calls, asking, { ...known, asks: true }) })
    return ask(draft, request, { type: 'question', call: asking, options: [] })
  }
  const id = callToAsk(draft, request, undefined)
  endPiece(draft)
  const input = questionInput(params)
  const title = textOf(params['message'])
  const call = { ...callOf(draft, id), tool: 'AskUser', named: true, input, asks: true }
  const asked: Call = title === undefined ? call : { ...call, title }
  change(draft, { calls: setIn(draft.state.calls, id, asked) })
  emit(draft, [readyOp(id, asked, input)])
  ask(draft, request, { type: 'elicitation', call: id, options: [] })
}

/** A tool whose input is a list of questions asks these; any other tool asks something else. */
const hasQuestions = ({ input }: Call) => Array.isArray(objectOf(input)['questions'])

/** The parts of a question that differ from the reported call. */
type AskedCall = Pick<Extract<Op, { readonly type: 'ask' }>, 'input' | 'about'>

function ask(draft: Draft, request: Json, question: Omit<Question, 'session'>, asked: AskedCall = {}): void {
  const session = draft.state.seldom.thread
  const questions = new Map(draft.state.questions).set(idWord(request), { ...question, session })
  change(draft, { questions })
  const approval = approvalOf(draft.state.parts.connection, request)
  emit(draft, [{ type: 'ask', call: question.call, approval, ...asked }])
}

/** Applies our answer. */
export function applyOurAnswer(draft: Draft, request: Json, reply: JsonObject): void {
  const word = idWord(request)
  const question = draft.state.questions.get(word)
  if (question === undefined) return
  const questions = new Map(draft.state.questions)
  questions.delete(word)
  change(draft, { questions })
  inSession(draft, question.session, () => takeAnswer(draft, question, reply))
}

function takeAnswer(draft: Draft, question: Question, reply: JsonObject): void {
  const { call: id } = question
  const before = callOf(draft, id)
  const call = { ...before, asks: false }
  const { result, error } = reply
  if (question.type === 'elicitation') {
    const rawOutput = result ?? error ?? null
    return showCall(draft, id, before, { ...call, status: 'done', rawOutput })
  }
  const denied = question.type === 'permission' && !isAllowed(question, result)
  const isUnanswered = outcomeIn(result)['outcome'] === 'cancelled'
  change(draft, { calls: setIn(draft.state.calls, id, { ...call, denied, isUnanswered }) })
  if (denied) change(draft, { denied: [...draft.state.denied, id] })
}

function isAllowed({ options }: Question, result: Json | undefined): boolean {
  const { outcome, optionId } = outcomeIn(result)
  if (outcome !== 'selected') return false
  const option = options.find(each => each.optionId === optionId)
  return option?.kind.startsWith('reject') !== true
}

const outcomeIn = (result: Json | undefined): JsonObject =>
  objectOf(isObject(result) ? result['outcome'] : undefined)
