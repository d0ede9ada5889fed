import { timeSpent } from './time-spent.ts'
import type { WorkPair } from './work-facts.ts'

/** Which lines were read, as far as the result or else the call tells. */
export function linesWords({ subject: { range }, result }: WorkPair): string {
  const lines = result?.lines
  if (lines !== undefined) {
    const isWhole = lines.from <= 1 && lines.total !== null && lines.to >= lines.total
    return isWhole ? ` (${counted(lines.total ?? lines.to, 'line')})` : ` (lines ${lines.from}–${lines.to})`
  }
  if (range === undefined) return ''
  return range.to === null ? ` (from line ${range.from})` : ` (lines ${range.from}–${range.to})`
}

/** How a command ended, and how long it took. */
export function exitWords(pair: WorkPair): string {
  const { result } = pair
  if (result?.background) return ' in the background'
  if (result?.interrupted) return ` → interrupted${timeWords(pair, 1000)}`
  const exit = result?.exit === undefined ? '' : ` → exit ${result.exit}`
  return `${exit}${timeWords(pair, 1000)}`
}

/** What a person said. */
export function answerWords({ subject, result, approval }: WorkPair): string {
  if (result?.answer !== undefined) return ` → ${subject.secret ? 'answered' : result.answer}`
  return approval?.approved ? ' → allowed' : ' → answered'
}

/** How long it took, from some length on. */
export const timeWords = ({ duration }: WorkPair, least: number): string =>
  duration === null || duration < least ? '' : ` (${timeSpent(duration)})`

/** A number and what it counts. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
