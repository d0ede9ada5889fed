import type { Json } from '../../protocol/json.ts'
import type { Answer } from '../agent.ts'
import { asObject, listOf, objectOf, textOf, type Fields } from '../kit/fields.ts'

type Answerer = (answer: Answer, params: Fields) => Json

const answerers: Readonly<Record<string, Answerer>> = {
  'item/commandExecution/requestApproval': decision,
  'item/fileChange/requestApproval': decision,
  'item/permissions/requestApproval': (answer, params) => ({
    permissions: isAllowed(answer) ? (params['permissions'] ?? {}) : {},
    scope: answer.always ? 'session' : 'turn',
  }),
  'item/tool/requestUserInput': (answer, params) => ({ answers: answersOf(answer, params) }),
  'mcpServer/elicitation/request': elicitation,
  applyPatchApproval: oldDecision,
  execCommandApproval: oldDecision,
}

/** Whether a person answers requests of this kind. */
export const isForPerson = (method: string) => Object.hasOwn(answerers, method)

/** Whether a request asks the person for text, and not only for approval. */
export function isQuestion(method: string, params: Fields): boolean {
  if (method === 'item/tool/requestUserInput') return true
  const kind = textOf(objectOf(params, '_meta'), 'codex_approval_kind')
  return method === 'mcpServer/elicitation/request' && kind === ''
}

/** A person's answer in the form that a request expects. */
export function answerTo(method: string, params: Fields, answer: Answer): Json {
  return answerers[method]?.(answer, params) ?? null
}

/** Codex cannot run a changed input, and running the original one is not what the person approved. */
const isAllowed = ({ approved, input }: Answer) => approved && input === undefined

/** After a denial the model continues; only an interrupt ends the turn. */
function decision(answer: Answer): Json {
  if (!isAllowed(answer)) return { decision: 'decline' }
  return { decision: answer.always ? 'acceptForSession' : 'accept' }
}

function oldDecision(answer: Answer): Json {
  if (!isAllowed(answer)) return { decision: { denied: { rejection: answer.reason ?? 'Declined.' } } }
  return { decision: answer.always ? 'approved_for_session' : 'approved' }
}

function elicitation({ approved, always, input }: Answer, params: Fields): Json {
  if (!approved) return { action: 'decline', content: null, _meta: null }
  const persists = listOf(objectOf(params, '_meta'), 'persist').includes('session')
  const _meta = always && persists ? { persist: 'session' } : null
  return { action: 'accept', content: input ?? {}, _meta }
}

/**
 * The answers by question. A person may give one text for all questions, a list for one, or one answer per question, keyed by
 * its id or its text, directly or in a field `answers`.
 */
function answersOf({ approved, input, reason }: Answer, params: Fields): Fields {
  const given = input ?? reason ?? null
  if (!approved || given === null) return {}
  const object = asObject(given)
  const named = 'answers' in object ? objectOf(object, 'answers') : object
  const questions = listOf(params, 'questions').map(asObject)
  const isNamed = questions.some(question => nameIn(named, question) !== undefined)
  return Object.fromEntries(
    questions.flatMap(question => {
      const name = nameIn(named, question)
      const answer = isNamed ? name && named[name] : given
      return answer === undefined ? [] : [[textOf(question, 'id'), { answers: wordsOf(answer) }]]
    }),
  )
}

function nameIn(named: Fields, question: Fields): string | undefined {
  return [textOf(question, 'id'), textOf(question, 'question')].find(name => Object.hasOwn(named, name))
}

function wordsOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(each => wordsOf(each as Json))
  if (typeof value === 'string') return [value]
  const inner = asObject(value)['answers']
  return inner === undefined ? [JSON.stringify(value)] : wordsOf(inner)
}
