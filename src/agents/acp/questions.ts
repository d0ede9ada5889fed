import type { Json } from '../../protocol/json.ts'
import { isObject, listOf, objectOf, textOf, type JsonObject } from './messages.ts'

/**
 * A request for input as the input of a call: the request itself, and where every field of its form is a choice, the same
 * as questions, which is how a person is asked by any agent.
 */
export function questionInput(params: JsonObject): JsonObject {
  const { sessionId: _, ...asked } = params
  const questions = fieldsOf(params).map(([name, field]) => questionOf(name, field))
  const canChoose = questions.length > 0 && questions.every(({ options }) => options.length > 0)
  return canChoose ? { ...asked, questions } : asked
}

type Field = readonly [name: string, field: JsonObject]

function fieldsOf(params: JsonObject): readonly Field[] {
  const properties = objectOf(objectOf(params['requestedSchema'])['properties'])
  return Object.entries(properties).map(([name, field]) => [name, objectOf(field)] as const)
}

function questionOf(name: string, field: JsonObject) {
  const options = choicesOf(field).map(({ label }) => label)
  return { question: titleOf(name, field), options, multiSelect: field['type'] === 'array' }
}

function titleOf(name: string, field: JsonObject): string {
  return textOf(field['title']) ?? textOf(field['description']) ?? name
}

interface Choice {
  readonly label: string
  readonly value: Json
}

function choicesOf(field: JsonObject): readonly Choice[] {
  if (field['type'] === 'boolean')
    return [
      { label: 'Yes', value: true },
      { label: 'No', value: false },
    ]
  const source = field['type'] === 'array' ? objectOf(field['items']) : field
  const titled = [...listOf(source['oneOf']), ...listOf(source['anyOf'])].filter(isObject)
  const plain = listOf(source['enum']).map(value => ({ label: labelOf(value), value }))
  return [...titled.map(choiceOf), ...plain]
}

function choiceOf(option: JsonObject): Choice {
  const value = option['const'] ?? null
  return { label: textOf(option['title']) ?? labelOf(value), value }
}

const labelOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The content of the form from a person's answer: the answers to the questions, or the content as it is. */
export function contentOf(params: JsonObject, input: Json | undefined): Json {
  const { answers } = objectOf(input)
  if (!isObject(answers)) return isObject(input) ? input : {}
  const given = fieldsOf(params).flatMap(([name, field]) => {
    const answer = answers[titleOf(name, field)]
    return typeof answer === 'string' ? [[name, valueOf(field, answer)] as const] : []
  })
  return Object.fromEntries(given)
}

function valueOf(field: JsonObject, answer: string): Json {
  const choose = (label: string): Json => {
    const chosen = choicesOf(field).find(choice => choice.label === label)
    return chosen === undefined ? label : chosen.value
  }
  if (field['type'] === 'array') return answer.split(', ').map(choose)
  const isNumber = field['type'] === 'number' || field['type'] === 'integer'
  return isNumber && answer.trim() !== '' && Number.isFinite(Number(answer)) ? Number(answer) : choose(answer)
}
