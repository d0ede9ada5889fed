import type { Json } from 'dragoman'
import { asFields, asList, textIn, textOfOutput, type Fields } from 'dragoman/client/work-log'
import { outputAs, restOf } from './rest.ts'
import type { AskedQuestion, Section } from './section.ts'
import { firstIn, layersOf, type ShownCall } from './shown-call.ts'

/** Questions to the user and the answers. */
export function askSections(call: ShownCall): readonly Section[] {
  const fields = asFields(call.input)
  const listed = asList(fields['questions'])
  const all = listed.length > 0 ? listed : [call.input ?? null]
  const answers = answersTo(call)
  const questions = all.map((each, at) => questionOf(each, at, answers))
  const isAnswered = questions.some(({ answer }) => answer !== null)
  return [
    { kind: 'questions', questions },
    ...restOf(call.input, [
      'questions',
      'question',
      'options',
      'header',
      'prompt',
      'message',
      'isBlocking',
      ...(isAnswered ? ['answers'] : []),
    ]),
    ...(isAnswered ? [] : outputAs('text', 'Answer', textOfOutput(call.output), call.output)),
  ]
}

function answersTo(call: ShownCall): Json | undefined {
  const layers = layersOf(call.output)
  const given = firstIn(layers, layer => layer['answers'] ?? layer['answer'] ?? undefined)
  return given ?? asFields(call.input)['answers']
}

function questionOf(value: Json, at: number, answers: Json | undefined): AskedQuestion {
  const fields = asFields(value)
  const question = typeof value === 'string' ? value : (textIn(fields, 'question', 'prompt', 'message') ?? '')
  return {
    title: textIn(fields, 'header') ?? null,
    question,
    options: asList(fields['options']).map(optionOf),
    answer: answerTo(fields, question, at, answers),
  }
}

function optionOf(value: Json): AskedQuestion['options'][number] {
  if (typeof value !== 'object') return { label: String(value), about: '' }
  const fields = asFields(value)
  return {
    label: textIn(fields, 'label', 'title', 'value') ?? '',
    about: textIn(fields, 'description') ?? '',
  }
}

/** Agents send answers by question text, by ID, or in order. */
function answerTo(fields: Fields, question: string, at: number, answers: Json | undefined): string | null {
  if (typeof answers === 'string') return answers
  const byName = asFields(answers)
  const id = textIn(fields, 'id', 'header')
  const found = byName[question] ?? (id === undefined ? undefined : byName[id]) ?? asList(answers)[at]
  const only = Object.values(byName)
  const words = wordsOf(found ?? (only.length === 1 ? only[0] : undefined))
  return words === '' ? null : words
}

function wordsOf(value: Json | undefined, depth = 0): string {
  if (value === undefined || value === null || depth > 4) return ''
  if (typeof value !== 'object') return String(value)
  return Object.values(value)
    .map(each => wordsOf(each, depth + 1))
    .filter(Boolean)
    .join(', ')
}
