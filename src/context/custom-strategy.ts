import type { EventOf } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import { asObject, asList, type Json } from '../protocol/json.ts'
import type { ToolEffect } from '../protocol/known-tools.ts'
import type { Mark, Rendering } from '../protocol/manipulation.ts'
import { textIn } from '../protocol/tool-call/fields.ts'
import type { Resource } from '../protocol/tool-call/resources.ts'
import type { PairOutcome, History } from './history.ts'
import type { IndexedPair } from './history-index.ts'
import {
  actorOf,
  makeChange,
  createChangeBatch,
  refuse,
  type ChangeBatch,
  type ChangeBatchOptions,
  type ManipulationEvent,
} from './change-batch.ts'
import { markIn } from './permission.ts'

/** A pair as a custom strategy gets it: plain data, without the text of the result. */
export interface SeenPair {
  readonly call: string
  readonly result: string | null
  readonly tool: string
  readonly effect: ToolEffect
  readonly resources: readonly Resource[]
  readonly outcome: PairOutcome
  readonly step: number
  readonly at: number
  readonly input: Json
  readonly mark: Mark
}

/** The input of a custom strategy: after a call, or at the end of an interaction. */
export interface CustomQuestion {
  readonly strategy: string
  readonly trigger: SeenPair
  readonly interaction: string
  /** The pairs of the same owner in this interaction. */
  readonly pairs: readonly SeenPair[]
}

/** The output of a custom strategy. It is not trusted: it may be anything. */
export type CustomOutcome =
  | { readonly isAnswered: true; readonly answer: unknown }
  | {
      readonly isAnswered: false
      readonly code: 'strategy-failed' | 'strategy-too-slow'
      readonly why: string
    }

/**
 * Runs custom strategies. This folder is pure and cannot stop a function that loops, so the implementation must, after 50 ms.
 * The output needs the same permission as every other change.
 */
export interface CustomStrategies {
  ask(question: CustomQuestion): Promise<CustomOutcome>
}

/** The inputs for the custom strategies of a call's tool; none if it has no such strategy. */
export function customQuestions(
  history: History,
  call: string,
  options: ChangeBatchOptions,
  when: 'custom' | 'optimise' = 'custom',
): readonly CustomQuestion[] {
  const batch = createChangeBatch(history, options)
  const pair = batch.index.part(call)?.pair ?? null
  if (pair === null || pair.result === null) return []
  const { interaction, owner } = pair.pair
  const own = batch.index
    .pairs()
    .filter(each => each.pair.owner === owner && each.pair.interaction === interaction)
  return batch.strategies.of(pair.pair).flatMap(strategy => {
    const name = strategy[when]
    if (name === undefined) return []
    const pairs = own.map(each => seen(batch, each))
    return [{ strategy: name, trigger: seen(batch, pair), interaction, pairs }]
  })
}

function seen(batch: ChangeBatch, { pair, call, result, outcome, at }: IndexedPair): SeenPair {
  return {
    call: call.part.id,
    result: result?.part.id ?? null,
    tool: pair.tool,
    effect: pair.effect,
    resources: pair.resources,
    outcome,
    step: pair.step,
    at,
    input: call.part.kind === 'call' ? call.part.input : null,
    mark: markIn(batch.ground, call),
  }
}

/** Makes the changes of a custom strategy: all of them or, if one is not permitted, none, and saves the refusal. */
export function takeAnswer(
  history: History,
  { strategy, trigger, interaction }: CustomQuestion,
  outcome: CustomOutcome,
  options: ChangeBatchOptions,
): readonly ManipulationEvent[] {
  const batch = createChangeBatch(history, options)
  const pair = batch.index.part(trigger.call)?.pair ?? null
  if (pair === null) return []
  const base = {
    actor: actorOf(pair),
    strategy,
    interactions: [interaction as InteractionId],
    parts: [],
    to: null,
    rendering: { how: 'keep', moment: 'boundary' },
    reason: strategy,
    trigger: trigger.call,
    replacedBy: null,
    causedBy: null,
  } as const
  if (!outcome.isAnswered) {
    refuse(batch, base, outcome.code, outcome.why)
    return batch.events
  }
  const wishes = wishesIn(outcome.answer)
  if (typeof wishes === 'string') refuse(batch, base, 'strategy-malformed', wishes)
  else for (const wish of wishes) makeChange(batch, { ...base, ...wish })
  // A change that follows from another may be refused on its own.
  const forbidden = batch.events.flatMap(each =>
    each.type === 'manipulation-rejected' && each.causedBy === null ? [each] : [],
  )
  return forbidden.length > 0 ? asFew(forbidden) : batch.events
}

/** How many refusals of one output are saved one by one. */
const mostRefusals = 5

/** Saves many refusals as one: no change of the output is made anyway. */
function asFew(refusals: readonly EventOf<'manipulation-rejected'>[]): readonly ManipulationEvent[] {
  const [first] = refusals
  if (first === undefined || refusals.length <= mostRefusals) return refusals
  return [{ ...first, why: `${first.why} ${refusals.length - 1} more of its changes were refused too.` }]
}

interface Wish {
  readonly parts: readonly string[]
  readonly to: Mark
  readonly reason: string
  readonly rendering: Rendering
}

const mostWishes = 1000
const mostParts = 10_000
const marks: ReadonlySet<string> = new Set<Mark>([
  ...(['active', 'superseded', 'invalidated', 'archived'] as const),
  ...(['deleted', 'undeleted', 'pinned', 'unpinned'] as const),
])

/** The changes in an output, or what is wrong with it. */
function wishesIn(answer: unknown): readonly Wish[] | string {
  if (!Array.isArray(answer)) return 'It did not return a list of changes.'
  if (answer.length > mostWishes) return `It returned more than ${mostWishes} changes.`
  const counts = answer.map(each => asList(asObject(each as Json)['parts']).length)
  if (counts.reduce((sum, count) => sum + count, 0) > mostParts)
    return `It listed more than ${mostParts} parts.`
  const wishes = answer.map(each => wishIn(each as Json)).filter(wish => wish !== null)
  return wishes.length < answer.length ? 'It did not return a list of changes.' : wishes
}

function wishIn(value: Json): Wish | null {
  const fields = asObject(value)
  const to = textIn(fields, 'to')
  const named = asList(fields['parts'])
  const parts = named.filter(part => typeof part === 'string')
  if (to === undefined || !marks.has(to) || parts.length !== named.length) return null
  const how = textIn(fields, 'render') ?? 'keep'
  const moment = textIn(fields, 'moment') ?? 'boundary'
  if (!isHow(how) || !isMoment(moment)) return null
  const reason = (textIn(fields, 'reason') ?? 'a custom rule').slice(0, 200)
  return { parts, to: to as Mark, reason, rendering: { how, moment } }
}

const isHow = (text: string): text is Rendering['how'] => ['keep', 'annotate', 'clear'].includes(text)
const isMoment = (text: string): text is Rendering['moment'] =>
  ['insertion', 'boundary', 'pressure', 'now'].includes(text)
