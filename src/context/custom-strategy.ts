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
  carryOut,
  createBench,
  refuse,
  type Bench,
  type BenchOptions,
  type ManipulationEvent,
} from './manage.ts'
import { markIn } from './permission.ts'

/** A pair as a strategy of one's own sees it: nothing but data, and nothing of the words. */
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

/** What a strategy of one's own is asked: what follows from a call, or from the end of an interaction. */
export interface CustomQuestion {
  readonly strategy: string
  readonly trigger: SeenPair
  readonly interaction: string
  /** The pairs of the same owner in this interaction. */
  readonly pairs: readonly SeenPair[]
}

/** How asking went. What it says is not trusted: it may be anything. */
export type CustomOutcome =
  | { readonly isAnswered: true; readonly answer: unknown }
  | {
      readonly isAnswered: false
      readonly code: 'strategy-failed' | 'strategy-too-slow'
      readonly why: string
    }

/**
 * Runs strategies of one's own. The pure room cannot stop a function that loops, so whoever implements this does, at 50 ms;
 * what comes back passes the same gate as everything else.
 */
export interface CustomStrategies {
  ask(question: CustomQuestion): Promise<CustomOutcome>
}

/** What the strategies of one's own of a call's tool are to be asked; nothing when it has none. */
export function customQuestions(
  history: History,
  call: string,
  options: BenchOptions,
  when: 'custom' | 'optimise' = 'custom',
): readonly CustomQuestion[] {
  const bench = createBench(history, options)
  const pair = bench.index.part(call)?.pair ?? null
  if (pair === null || pair.result === null) return []
  const { interaction, owner } = pair.pair
  const own = bench.index
    .pairs()
    .filter(each => each.pair.owner === owner && each.pair.interaction === interaction)
  return bench.strategies.of(pair.pair).flatMap(strategy => {
    const name = strategy[when]
    if (name === undefined) return []
    const pairs = own.map(each => seen(bench, each))
    return [{ strategy: name, trigger: seen(bench, pair), interaction, pairs }]
  })
}

function seen(bench: Bench, { pair, call, result, outcome, at }: IndexedPair): SeenPair {
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
    mark: markIn(bench.ground, call),
  }
}

/** Carries out what a strategy of one's own wants: all of it or, when it may not do one thing, nothing, and that is noted. */
export function takeAnswer(
  history: History,
  { strategy, trigger, interaction }: CustomQuestion,
  outcome: CustomOutcome,
  options: BenchOptions,
): readonly ManipulationEvent[] {
  const bench = createBench(history, options)
  const pair = bench.index.part(trigger.call)?.pair ?? null
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
    refuse(bench, base, outcome.code, outcome.why)
    return bench.events
  }
  const wishes = wishesIn(outcome.answer)
  if (typeof wishes === 'string') refuse(bench, base, 'strategy-malformed', wishes)
  else for (const wish of wishes) carryOut(bench, { ...base, ...wish })
  // What follows from a change may be refused by itself.
  const forbidden = bench.events.flatMap(each =>
    each.type === 'manipulation-rejected' && each.causedBy === null ? [each] : [],
  )
  return forbidden.length > 0 ? asFew(forbidden) : bench.events
}

/** How many refusals of one answer are noted one by one. */
const mostRefusals = 5

/** Many refusals are told in one: nothing of the answer is done anyway. */
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

/** The changes in an answer; when it is anything else, what is wrong with it. */
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
