import { asObject, type Json } from '../../protocol/json.ts'
import type { Answer } from '../agent.ts'
import { listOf, objectOf, textOf, type Fields } from '../kit/fields.ts'

/** Where an answer is sent, and its content. */
export interface Reply {
  readonly path: string
  readonly body: Json
}

/**
 * A person's answer to a permission request. With a reason, the model continues; without one, a denial ends the
 * answer. OpenCode cannot run a changed input, and running the original one would ignore the person's change. The
 * call is denied instead, with that reason.
 */
export function permissionReply(id: string, answer: Answer): Reply {
  const path = `/permission/${encodeURIComponent(id)}/reply`
  const { approved, always, input } = answer
  if (approved && input === undefined) return { path, body: { reply: always ? 'always' : 'once' } }
  const reason = approved ? `Do it with this input instead: ${JSON.stringify(input)}` : answer.reason
  return { path, body: { reply: 'reject', ...(reason === null || reason === '' ? {} : { message: reason }) } }
}

/** A person's answers, in the order of the questions. */
export function questionReply(id: string, question: Fields, answer: Answer): Reply {
  const base = `/question/${encodeURIComponent(id)}`
  const given = answer.input ?? answer.reason
  if (!answer.approved || given === null) return { path: `${base}/reject`, body: {} }
  const object = asObject(given)
  const named = 'answers' in object ? objectOf(object, 'answers') : object
  const listed = Array.isArray(object['answers']) ? listOf(object, 'answers') : null
  const answers = listOf(question, 'questions').map((each, index) => {
    const fields = asObject(each)
    const name = [textOf(fields, 'question'), textOf(fields, 'header')].find(key => Object.hasOwn(named, key))
    const one = name === undefined ? (listed?.[index] ?? (isPlain(given) ? given : [])) : named[name]
    return textsIn(one ?? [])
  })
  return { path: `${base}/reply`, body: { answers } }
}

const isPlain = (value: Json) => typeof value !== 'object' || Array.isArray(value)

function textsIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(each => textsIn(each as Json))
  return typeof value === 'string' ? [value] : [JSON.stringify(value)]
}
