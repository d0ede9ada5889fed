import type { InteractionId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import type { ToolEffect } from '../protocol/known-tools.ts'
import type { Mark, Rendering } from '../protocol/manipulation.ts'
import { asFields, asList, textIn } from '../protocol/tool-call/fields.ts'
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

/** How long a strategy of one's own may think. */
export const customMilliseconds = 50

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
    refuse(bench, base, outcome.code, shortened(outcome.why))
    return bench.events
  }
  const wishes = wishesIn(outcome.answer)
  if (wishes === null)
    refuse(bench, base, 'strategy-malformed', 'It gave something that is no list of changes.')
  for (const wish of wishes ?? []) carryOut(bench, { ...base, ...wish })
  // What follows from a change may be refused by itself.
  const forbidden = bench.events.filter(
    ({ type, causedBy }) => type === 'manipulation-rejected' && causedBy === null,
  )
  return forbidden.length > 0 ? forbidden : bench.events
}

/** What a strategy says of itself may be of any length. */
const shortened = (words: string) => (words.length <= 300 ? words : `${words.slice(0, 299)}…`)

interface Wish {
  readonly parts: readonly string[]
  readonly to: Mark
  readonly reason: string
  readonly rendering: Rendering
}

const mostWishes = 1000
const marks: ReadonlySet<string> = new Set<Mark>([
  ...(['active', 'superseded', 'invalidated', 'archived'] as const),
  ...(['deleted', 'undeleted', 'pinned', 'unpinned'] as const),
])

/** The changes in an answer; null when it is anything else. */
function wishesIn(answer: unknown): readonly Wish[] | null {
  if (!Array.isArray(answer) || answer.length > mostWishes) return null
  const wishes = answer.map(each => wishIn(each as Json))
  return wishes.includes(null) ? null : (wishes as readonly Wish[])
}

function wishIn(value: Json): Wish | null {
  const fields = asFields(value)
  const to = textIn(fields, 'to')
  const parts = asList(fields['parts']).filter(part => typeof part === 'string')
  if (to === undefined || !marks.has(to) || parts.length !== asList(fields['parts']).length) return null
  const how = textIn(fields, 'render') ?? 'keep'
  const moment = textIn(fields, 'moment') ?? 'boundary'
  if (!isHow(how) || !isMoment(moment)) return null
  const reason = (textIn(fields, 'reason') ?? 'a rule of its own').slice(0, 200)
  return { parts, to: to as Mark, reason, rendering: { how, moment } }
}

const isHow = (text: string): text is Rendering['how'] => ['keep', 'annotate', 'clear'].includes(text)
const isMoment = (text: string): text is Rendering['moment'] =>
  ['insertion', 'boundary', 'pressure', 'now'].includes(text)
