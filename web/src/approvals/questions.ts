import type { Json } from 'dragoman'
import { fieldsOf, isFields, textIn } from './json-fields.ts'

/** A question to the user, with options if there are any. */
export interface Question {
  readonly question: string
  /** A short label for the question. */
  readonly header: string | null
  readonly options: readonly { readonly label: string; readonly description: string | null }[]
  readonly several: boolean
  /** Whether the typed text is hidden, as for a password. */
  readonly secret: boolean
}

/** The answer to one question so far. */
export interface AnswerDraft {
  readonly chosen: readonly string[]
  /** Text the person typed. It replaces a single choice and adds to multiple choices. */
  readonly own: string
}

/** An empty answer. */
export const emptyDraft: AnswerDraft = { chosen: [], own: '' }

/** Reads an answer from saved JSON; empty where it is not valid. */
export function draftsIn(kept: Json, questions: readonly Question[]): readonly AnswerDraft[] {
  const all: readonly Json[] = Array.isArray(kept) && kept.length === questions.length ? kept : []
  return questions.map(({ options, several }, at) => {
    const { chosen, own } = fieldsOf(all[at])
    const known = options.flatMap(({ label }) =>
      Array.isArray(chosen) && chosen.includes(label) ? label : [],
    )
    return { chosen: several ? known : known.slice(0, 1), own: typeof own === 'string' ? own : '' }
  })
}

/** The answer without secret fields. */
export const withoutSecrets = (
  drafts: readonly AnswerDraft[],
  questions: readonly Question[],
): readonly AnswerDraft[] => drafts.map((each, at) => (questions[at]?.secret === true ? emptyDraft : each))

/** The questions in a tool call, one or a list; null when the call asks none. */
export function questionsIn(input: unknown): readonly Question[] | null {
  if (!isFields(input)) return null
  const { questions } = input
  const isList = Array.isArray(questions)
  const asked: readonly unknown[] = isList ? questions : [input]
  const read = asked.flatMap(each => readQuestion(each, isList))
  return read.length > 0 && read.length === asked.length ? read : null
}

/** Only in a list may a question have no answers to choose from: alone it would be any call with a field of that name. */
function readQuestion(value: unknown, mayBeOpen: boolean): readonly Question[] {
  const fields = fieldsOf(value)
  const question = textIn(fields, 'question')
  const { options, multiSelect, multiple, isSecret } = fields
  const given: readonly unknown[] = Array.isArray(options) ? options : []
  const read = given.flatMap(readOption)
  if (question === null || read.length !== given.length || (read.length === 0 && !mayBeOpen)) return []
  return [
    {
      question,
      header: textIn(fields, 'header'),
      options: read,
      several: multiSelect === true || multiple === true,
      secret: isSecret === true,
    },
  ]
}

function readOption(option: unknown): Question['options'] {
  if (typeof option === 'string') return [{ label: option, description: null }]
  const fields = fieldsOf(option)
  const label = textIn(fields, 'label')
  return label === null ? [] : [{ label, description: textIn(fields, 'description') }]
}

/** Adds or removes an option; where only one may be chosen, it replaces the other. */
export function choose({ chosen, own }: AnswerDraft, { several }: Question, label: string): AnswerDraft {
  if (!several) return { chosen: [label], own: '' }
  const rest = chosen.filter(each => each !== label)
  return { chosen: rest.length < chosen.length ? rest : [...chosen, label], own }
}

/** Typed text; where only one answer is allowed, it replaces the option. */
export const typeOwn = ({ chosen }: AnswerDraft, { several }: Question, own: string): AnswerDraft => ({
  chosen: several || own === '' ? chosen : [],
  own,
})

/** The answer to a question as text; null while there is none. */
export function answerOf({ several, options }: Question, { chosen, own }: AnswerDraft): string | null {
  const words = own.trim()
  const labels = options.flatMap(({ label }) => (chosen.includes(label) ? label : []))
  const all = [...(several || words === '' ? labels : []), ...(words === '' ? [] : [words])]
  return all.length === 0 ? null : all.join(', ')
}

/** The answers to all questions, by question; null while one has none. */
export function answersOf(
  questions: readonly Question[],
  drafts: readonly AnswerDraft[],
): ReadonlyMap<string, string> | null {
  const answers = questions.map(
    (each, at) => [each.question, answerOf(each, drafts[at] ?? emptyDraft)] as const,
  )
  const given = answers.flatMap(([question, answer]) =>
    answer === null ? [] : [[question, answer] as const],
  )
  return given.length === answers.length ? new Map(given) : null
}

/** The input that carries the answers back: beside the list of questions, or alone for a single one. */
export function answeredInput(input: unknown, answers: ReadonlyMap<string, string>): Json {
  const given = Object.fromEntries(answers)
  return isFields(input) && Array.isArray(input['questions']) ? { ...input, answers: given } : given
}
