import { isDragomanError, type ListedApproval } from 'dragoman/client'
import { askedOf, wantsWords } from './asked.ts'
import { fieldsOf, textIn } from './json-fields.ts'

/** The known facts about an answer; for old ones the request may be missing. */
export type Answered = Pick<ListedApproval, 'status' | 'by' | 'reason' | 'always'> & {
  readonly tool?: string
  readonly input?: unknown
  readonly changedInput?: unknown
}

const statusWords: Readonly<Record<ListedApproval['status'], string>> = {
  pending: 'Waiting for approval',
  granted: 'Allowed',
  denied: 'Denied',
  lapsed: 'Expired',
}

/** Labels for who answered. */
export const answererWords: Readonly<Record<NonNullable<ListedApproval['by']>, string>> = {
  person: 'you',
  rule: 'a rule',
  timeout: 'timeout',
  server: 'Dragoman',
}

/** Whether this was a question with a text answer, not a permission. */
export const isWords = ({ status, tool, input }: Pick<Answered, 'status' | 'tool' | 'input'>): boolean =>
  status === 'granted' && tool !== undefined && wantsWords(askedOf({ tool, input }))

/** The answer as a short label. */
export const answerWord = (answered: Answered): string =>
  isWords(answered)
    ? 'Answered'
    : answered.always && answered.status === 'granted'
      ? 'Always allowed'
      : statusWords[answered.status]

/** The result of a request in one line: the answer, who gave it, and whether the input was edited. */
export function answerWords(answered: Answered): string {
  const { status, by, changedInput } = answered
  const who = by === null ? '' : ` by ${answererWords[by]}`
  const isChanged = status === 'granted' && changedInput !== undefined && !isWords(answered)
  return `${answerWord(answered)}${who}${isChanged ? ', with edited input' : ''}`
}

/** Why an answer was rejected: who answered first, or the server's message. */
export function refusalWords(error: unknown): string {
  if (!isDragomanError(error)) return `Couldn’t send your answer: ${(error as Error).message} Try again.`
  if (error.code === 'unknown-approval') return 'This request no longer exists.'
  if (error.code !== 'approval-settled') return error.message
  const event = fieldsOf(fieldsOf(error.details['winner'])['event'])
  const isLapsed = event['type'] === 'approval-lapsed'
  return firstWords({
    status: isLapsed ? 'lapsed' : event['approved'] === false ? 'denied' : 'granted',
    by: textIn(event, 'by'),
    reason: textIn(event, 'reason'),
  })
}

/** Who answered first, and how, as a sentence. */
export function firstWords(
  first: Pick<Answered, 'status' | 'reason' | 'tool' | 'input'> & { readonly by: string | null },
): string {
  const { status, by, reason } = first
  const why = reason ?? ''
  if (status === 'lapsed') return `This request has expired. ${why}`.trim()
  const who = whoFirst[by ?? 'person'] ?? 'Someone else'
  const what = status === 'denied' ? 'denied' : isWords(first) ? 'answered' : 'allowed'
  return `${who} ${what} this first${why === '' ? '.' : `: ${why}`}`
}

const whoFirst: Readonly<Record<string, string>> = {
  person: 'Someone else, or you in another tab,',
  rule: 'A rule',
  timeout: 'A timeout',
  server: 'Dragoman',
}
