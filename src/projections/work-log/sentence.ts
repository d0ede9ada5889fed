import { tellingOf } from './tellings.ts'
import type { WorkOutcome, WorkPair } from './work-facts.ts'

/** One sentence for people about a tool call: what was done to what, and what came of it. */
export function sentenceOf(pair: WorkPair, outcome: WorkOutcome): string {
  const { subject, result } = pair
  const { to, doing, object, done } = tellingOf(subject)
  const what = `${to} ${object(subject)}`
  // A question needs no leave to be asked.
  const wish = subject.family === 'ask' ? object(subject) : `to ${what}`
  if (isRefused(pair)) return `Asked ${wish} → not allowed`
  if (outcome === 'pending') return isAsking(pair) ? `Asks ${wish}` : `${doing} ${object(subject)} …`
  if (isAsking(pair) && result?.interrupted) return `Asked ${wish} → not answered`
  if (isTold(pair, outcome)) return `${done(pair)}${cutWords(pair, outcome)}`
  return `Could not ${what}: ${reasonOf(result)}`
}

const isRefused = ({ approval, result }: WorkPair) => approval?.approved === false || result?.denied === true

const reasonOf = (result: WorkPair['result']) =>
  result?.interrupted ? 'it was interrupted' : (result?.error ?? 'it failed')

const isAsking = ({ approval }: WorkPair) => approval !== null && approval.approved === null

/** A command that ran tells its exit; other work that failed was not done. */
const isTold = ({ subject, result }: WorkPair, outcome: WorkOutcome) =>
  outcome !== 'failure' || (subject.family === 'run' && (result?.exit !== undefined || result?.interrupted))

const cutWords = ({ result }: WorkPair, outcome: WorkOutcome) =>
  outcome === 'partial' && !result?.interrupted ? ', cut short' : ''
