import { isDragomanError, type ListedApproval } from 'dragoman/client'
import { askedOf, wantsWords } from './asked.ts'
import { fieldsOf, textIn } from './json-fields.ts'

/** What is known of an answer; of an old one perhaps not to what. */
export type Answered = Pick<ListedApproval, 'status' | 'by' | 'reason' | 'always'> & {
  readonly tool?: string
  readonly input?: unknown
  readonly changedInput?: unknown
}

const statusWords: Readonly<Record<ListedApproval['status'], string>> = {
  pending: 'Waits for you',
  granted: 'Allowed',
  denied: 'Denied',
  lapsed: 'Lapsed',
}

/** Who answered, in words. */
export const answererWords: Readonly<Record<NonNullable<ListedApproval['by']>, string>> = {
  person: 'a person',
  rule: 'a rule',
  timeout: 'the clock',
}

/** Whether words were asked for and given, and not leave. */
export const isWords = ({ status, tool, input }: Answered): boolean =>
  status === 'granted' && tool !== undefined && wantsWords(askedOf({ tool, input }))

/** The answer in a word or two. */
export const answerWord = (answered: Answered): string =>
  isWords(answered) ? 'Answered' : `${statusWords[answered.status]}${answered.always ? ' always' : ''}`

/** What came of a question, in a line: the answer, who gave it, and what they changed. */
export function answerWords(answered: Answered): string {
  const { status, by, changedInput } = answered
  const who = by === null ? '' : ` by ${answererWords[by]}`
  const isChanged = status === 'granted' && changedInput !== undefined && !isWords(answered)
  return `${answerWord(answered)}${who}${isChanged ? ', with another input' : ''}`
}

/** Why an answer did not count, in a sentence: who was first, or what the server says. */
export function refusalWords(error: unknown): string {
  if (!isDragomanError(error)) return `Your answer was not given: ${(error as Error).message} Try again.`
  if (error.code === 'unknown-approval') return 'This question is not known any more.'
  if (error.code !== 'approval-settled') return error.message
  const event = fieldsOf(fieldsOf(error.details['winner'])['event'])
  if (event['type'] === 'approval-lapsed')
    return `Nobody waits for this answer any more. ${textIn(event, 'reason') ?? ''}`.trim()
  const what = event['approved'] === false ? 'denied' : 'allowed'
  const who = whoFirst[textIn(event, 'by') ?? 'person'] ?? 'Somebody else'
  const why = textIn(event, 'reason')
  return `${who} ${what} this first${why === null || why === '' ? '.' : `: ${why}`}`
}

const whoFirst: Readonly<Record<string, string>> = {
  person: 'Somebody else, or you in another tab,',
  rule: 'A rule',
  timeout: 'The clock',
}
