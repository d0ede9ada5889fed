import type { Thread } from '../../protocol/chunk.ts'
import type { ToolEffect, ToolFamily } from '../../protocol/known-tools.ts'
import type { Moment } from '../moment.ts'
import { impactOf, type Impact } from './impact.ts'
import { sentenceOf } from './sentence.ts'
import type { Parameters, WorkOutcome, WorkPair } from './work-facts.ts'

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
  /** What was said when a person was asked; null when nobody was. */
  readonly approval: 'asked' | 'allowed' | 'denied' | null
  readonly impact: readonly Impact[]
  /** Milliseconds from the moment it could run to its result. */
  readonly duration: number | null
  /** Null where it lies before what is known here. */
  readonly start: Moment | null
  readonly stop: Moment | null
  /** The entries that tell of it, in order; and those of them that hold the agent's own words. */
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
  const said = [start, ready, approval?.asked, closed ? null : end].flatMap(each => each?.seq ?? [])
  const all = [...said, approval?.answered?.seq, end?.seq].filter(seq => seq !== undefined)
  return { seqs: inOrder(all), raws: inOrder(said) }
}

const inOrder = (seqs: readonly number[]) => [...new Set(seqs)].toSorted((a, b) => a - b)
