import type { Thread } from '../../protocol/chunk.ts'
import type { ToolEffect, ToolFamily } from '../../protocol/known-tools.ts'
import type { Moment } from '../moment.ts'
import { impactOf, type Impact } from './impact.ts'
import type { Parameters, WorkOutcome, WorkPair } from './work-facts.ts'
import { phrasesOf } from './sentences.ts'

/** One tool call and its result, for people: a line of the work log. */
export interface WorkLogEntry {
  /** The part of the message that holds the call: with it and the message one gets at all of it. */
  readonly toolCallId: string
  readonly message: string
  readonly thread: Thread
  readonly interaction: string | null
  readonly tool: string
  /** What the tool is for, whatever its agent calls it. */
  readonly family: ToolFamily
  readonly effect: ToolEffect
  readonly sentence: string
  readonly parameters: Parameters
  readonly outcome: WorkOutcome
  /** The state of the approval; null if the call needed none. */
  readonly approval: 'asked' | 'allowed' | 'denied' | null
  readonly impact: readonly Impact[]
  /** Milliseconds from the moment it could run to its result. */
  readonly duration: number | null
  /** Null if it started before the loaded entries. */
  readonly start: Moment | null
  readonly stop: Moment | null
  /** The entries about it, in order (`seqs`), and those of them with a native line (`raws`). */
  readonly seqs: readonly number[]
  readonly raws: readonly number[]
}

/** The line of the work log about a tool call. */
export function entryOf(pair: WorkPair): WorkLogEntry {
  const { toolCallId, message, thread, interaction, subject, duration, start, end } = pair
  const outcome = outcomeOf(pair)
  return {
    toolCallId,
    message,
    thread,
    interaction,
    tool: subject.tool,
    family: subject.family,
    effect: subject.effect,
    sentence: sentenceOf(pair, outcome),
    parameters: subject.parameters,
    outcome,
    approval: approvalOf(pair),
    impact: impactOf(pair, outcome),
    duration,
    start,
    stop: end,
    ...placesOf(pair),
  }
}

function outcomeOf({ result, approval, end }: WorkPair): WorkOutcome {
  if (result !== null) return approval?.approved === false ? 'failure' : result.outcome
  return end === null ? 'pending' : 'failure'
}

function approvalOf({ approval }: WorkPair): WorkLogEntry['approval'] {
  if (approval === null) return null
  return approval.approved === null ? 'asked' : approval.approved ? 'allowed' : 'denied'
}

function placesOf({ start, ready, end, closed, approval }: WorkPair): Pick<WorkLogEntry, 'seqs' | 'raws'> {
  const native = [start, ready, approval?.asked, closed ? null : end].flatMap(each => each?.seq ?? [])
  const all = [...native, approval?.answered?.seq, end?.seq].filter(seq => seq !== undefined)
  return { seqs: inOrder(all), raws: inOrder(native) }
}

const inOrder = (seqs: readonly number[]) => [...new Set(seqs)].toSorted((a, b) => a - b)

/** One sentence for people about a tool call: what was done, to which file or subject, and the outcome. */
function sentenceOf(pair: WorkPair, outcome: WorkOutcome): string {
  const { subject, result } = pair
  const { to, doing, object, done } = phrasesOf(subject)
  const what = `${to} ${object(subject)}`
  // "Asked …", and not "Asked to ask …".
  const wish = subject.family === 'ask' ? object(subject) : `to ${what}`
  if (isRefused(pair)) return `Asked ${wish} → not allowed`
  if (outcome === 'pending') return isAsking(pair) ? `Asks ${wish}` : `${doing} ${object(subject)} …`
  if (isAsking(pair) && result?.interrupted) return `Asked ${wish} → not answered`
  if (isInSentence(pair, outcome)) return `${done(pair)}${cutWords(pair, outcome)}`
  return `Could not ${what}: ${reasonOf(result)}`
}

const isRefused = ({ approval, result }: WorkPair) => approval?.approved === false || result?.denied === true

const reasonOf = (result: WorkPair['result']) =>
  result?.interrupted ? 'it was interrupted' : (result?.error ?? 'it failed')

const isAsking = ({ approval }: WorkPair) => approval !== null && approval.approved === null

/** A command that ran has an exit code; other failed work was not done. */
const isInSentence = ({ subject, result }: WorkPair, outcome: WorkOutcome) =>
  outcome !== 'failure' || (subject.family === 'run' && (result?.exit !== undefined || result?.interrupted))

const cutWords = ({ result }: WorkPair, outcome: WorkOutcome) =>
  outcome === 'partial' && !result?.interrupted ? ', cut short' : ''
