import type { Json } from '../../protocol/json.ts'
import { isObject, listOf, objectOf, textOf, type JsonObject } from './messages.ts'

/**
 * A request for input as the input of a call: the request itself, and where only choices are required, the same as
 * questions in the form that all agents share.
 */
export function questionInput(params: JsonObject): JsonObject {
  const { sessionId: _, ...asked } = params
  const fields = fieldsOf(params)
  const questions = fields.filter(hasChoices).map(field => questionOf(params, field))
  const mustWrite = fields.some(field => field.isRequired && !hasChoices(field))
  return questions.length > 0 && !mustWrite ? { ...asked, questions } : asked
}

/** One field of a form. */
interface Field {
  readonly name: string
  readonly schema: JsonObject
  readonly isRequired: boolean
}

function fieldsOf(params: JsonObject): readonly Field[] {
  const { properties, required } = objectOf(params['requestedSchema'])
  return Object.entries(objectOf(properties)).map(([name, schema]) => ({
    name,
    schema: objectOf(schema),
    isRequired: listOf(required).includes(name),
  }))
}

const hasChoices = ({ schema }: Field) => choicesOf(schema).length > 0

function questionOf(params: JsonObject, field: Field): JsonObject {
  const options = choicesOf(field.schema).map(({ label, description }) =>
    description === undefined ? label : { label, description },
  )
  return { question: textFor(params, field), options, multiSelect: field.schema['type'] === 'array' }
}

/** The text of a question: a form with one choice asks in its message, one with several in their descriptions. */
function textFor(params: JsonObject, { name, schema }: Field): string {
  const { description, title } = schema
  const message = fieldsOf(params).filter(hasChoices).length === 1 ? textOf(params['message']) : undefined
  return textOf(description) ?? message ?? textOf(title) ?? name
}

interface Choice {
  readonly label: string
  readonly value: Json
  readonly description?: string
}

function choicesOf(schema: JsonObject): readonly Choice[] {
  if (schema['type'] === 'boolean')
    return [
      { label: 'Yes', value: true },
      { label: 'No', value: false },
    ]
  const source = schema['type'] === 'array' ? objectOf(schema['items']) : schema
  const titled = [...listOf(source['oneOf']), ...listOf(source['anyOf'])].filter(isObject)
  const plain = listOf(source['enum']).map(value => ({ label: labelOf(value), value }))
  return [...titled.map(choiceOf), ...plain]
}

function choiceOf(option: JsonObject): Choice {
  const value = option['const'] ?? null
  const description = textOf(option['description'])
  const choice = { label: textOf(option['title']) ?? labelOf(value), value }
  return description === undefined ? choice : { ...choice, description }
}

const labelOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The content of the form from a person's answer: the answers to the questions, or the given content. */
export function contentOf(params: JsonObject, input: Json | undefined): Json {
  const { answers } = objectOf(input)
  if (!isObject(answers)) return isObject(input) ? input : {}
  const fields = fieldsOf(params)
  const given = fields.flatMap(field => {
    const answer = answers[textFor(params, field)]
    return typeof answer === 'string' ? valuesOf(fields, field, answer) : []
  })
  return Object.fromEntries(given)
}

/** A free-text answer goes into the form's field for it, if the form has one besides the choices. */
function valuesOf(
  fields: readonly Field[],
  field: Field,
  answer: string,
): readonly (readonly [string, Json])[] {
  const { name, schema } = field
  const words = schema['type'] === 'array' ? answer.split(', ') : [answer]
  const choices = choicesOf(schema)
  const isChosen = words.every(word => choices.some(({ label }) => label === word))
  const own = fields.find(other => other.name === `${name}_custom`)
  if (!isChosen && own !== undefined) return [[own.name, answer]]
  return [[name, valueOf(schema, choices, words)]]
}

function valueOf(schema: JsonObject, choices: readonly Choice[], words: readonly string[]): Json {
  const values = words.map((word): Json => {
    const chosen = choices.find(({ label }) => label === word)
    return chosen === undefined ? word : chosen.value
  })
  if (schema['type'] === 'array') return values
  const [value = null] = values
  const isNumber = schema['type'] === 'number' || schema['type'] === 'integer'
  return isNumber && typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : value
}
