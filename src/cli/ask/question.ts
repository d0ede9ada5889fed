import { isObject, type Json } from '../../protocol/json.ts'

/** A question with choices. */
export interface Question {
  readonly question: string
  readonly options: readonly { readonly label: string; readonly description: string | null }[]
  readonly several: boolean
}

/** The questions in a call's input, one or a list; null for other calls. */
export function questionsIn(input: Json): readonly Question[] | null {
  if (!isObject(input)) return null
  const { questions } = input
  const asked: readonly Json[] = Array.isArray(questions) ? questions : [input]
  const read = asked.flatMap(readQuestion)
  return read.length > 0 && read.length === asked.length ? read : null
}

/** The input with the answers: added to the list of questions, or alone for a single question. */
export function answeredInput(input: Json, answers: ReadonlyMap<string, string>): Json {
  const given = Object.fromEntries(answers)
  return isObject(input) && Array.isArray(input['questions']) ? { ...input, answers: given } : given
}

function readQuestion(value: Json): readonly Question[] {
  if (!isObject(value)) return []
  const { question, options, multiSelect } = value
  if (typeof question !== 'string' || !Array.isArray(options) || options.length === 0) return []
  const read = options.flatMap(readOption)
  if (read.length !== options.length) return []
  return [{ question, options: read, several: multiSelect === true }]
}

function readOption(option: Json): Question['options'] {
  if (typeof option === 'string') return [{ label: option, description: null }]
  if (!isObject(option) || typeof option['label'] !== 'string') return []
  const { label, description } = option
  return [{ label, description: typeof description === 'string' ? description : null }]
}
