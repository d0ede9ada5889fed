import type { EventOf } from '../protocol/event.ts'
import type { InteractionId, ManipulationId, NewId } from '../protocol/ids.ts'
import type { Actor, Effectiveness, Proposal, Refusal } from '../protocol/manipulation.ts'
import { savingOf } from './decision-of.ts'
import { createHistoryIndex, type HistoryIndex, type IndexedPair, type IndexedPart } from './history-index.ts'
import type { History } from './history.ts'
import { judge, markIn, sinceWith, standingOf, type Ground, type Since } from './permission.ts'
import { related } from './strategies/find-obsolete.ts'
import type { Strategies } from './strategies/registry.ts'
import type { RuleBase } from './strategies/strategy.ts'

/** How deep one change may lead to others. */
export const deepest = 8

/** What happens: a manipulation, or the audit of one that was refused. */
export type ManipulationEvent = EventOf<'manipulation-applied' | 'manipulation-rejected'>

/** What all changes of one history go through: judged one by one, each seeing the ones before it. */
export interface Bench {
  readonly index: HistoryIndex
  readonly strategies: Strategies
  readonly effective: Effectiveness
  readonly newId: NewId
  readonly events: ManipulationEvent[]
  readonly ground: Ground
  readonly since: Map<string, Since>
}

/** What is needed to change what counts in a history. */
export interface BenchOptions {
  readonly strategies: Strategies
  /** Kept between calls, so that a history that grew is not read from the beginning. */
  readonly index?: HistoryIndex
  /** The number of the request that comes next. */
  readonly step: number
  readonly effective: Effectiveness
  readonly newId: NewId
}

/** Begins a batch of changes. */
export function createBench(history: History, options: BenchOptions): Bench {
  const { strategies, effective, newId, step, index = createHistoryIndex() } = options
  index.follow(history)
  const since = new Map<string, Since>()
  const { consents } = strategies
  const ground: Ground = { index, ledger: history.ledger, since, step, consents }
  return { index, strategies, effective, newId, events: [], ground, since }
}

/** Carries out a proposal if it may be, and what follows from it; if not, only the refusal is noted. */
export function carryOut(bench: Bench, proposal: Proposal): void {
  carry(bench, proposal, 0, new Set())
}

function carry(bench: Bench, proposal: Proposal, depth: number, seen: Set<string>): void {
  if (depth > deepest)
    return refuse(bench, proposal, 'too-deep', `It depends on a chain of more than ${deepest} other changes.`)
  const verdict = judge(bench.ground, proposal)
  if (!verdict.isAllowed) return refuse(bench, proposal, verdict.code, verdict.why)
  const targets = verdict.targets.filter(target => !isRefused(bench.ground, proposal, target))
  if (targets.length === 0) return
  const before = targets.map(target => ({ part: target.part.id, was: markIn(bench.ground, target) }))
  const parts = targets.map(({ part }) => part.id)
  const manipulation = bench.newId<ManipulationId>()
  const saving = targets.reduce((sum, target) => sum + savingOf(target, proposal), 0)
  const { effective } = bench
  bench.events.push({
    type: 'manipulation-applied',
    ...proposal,
    manipulation,
    parts,
    before,
    tokens: Math.max(0, saving),
    effective,
  })
  for (const part of parts) {
    seen.add(part)
    if (proposal.to !== null) bench.since.set(part, sinceWith(bench.since.get(part), proposal.to))
  }
  const pairs = new Set(targets.flatMap(({ pair }) => pair ?? []))
  for (const pair of pairs) cascade(bench, proposal, manipulation, pair, depth, seen)
}

/** A rule leaves alone what was rolled back once, and every rule what a person rolled back; a person may change it again. */
function isRefused(ground: Ground, { actor, strategy }: Proposal, target: IndexedPart): boolean {
  if (actor.kind === 'person') return false
  const { refused, isProtected } = standingOf(ground, target)
  return isProtected || refused.has(strategy)
}

/** Notes that something was refused; nothing is changed. What was wished may be of any length, the note is not. */
export function refuse(bench: Bench, proposal: Proposal, code: Refusal, why: string): void {
  const parts = proposal.parts.slice(0, mostNamed).map(part => shortened(part))
  bench.events.push({ type: 'manipulation-rejected', ...proposal, parts, code, why: shortened(why) })
}

/** How many parts the note of a refusal names. */
const mostNamed = 100

/** Words of somebody else, in a length that can be kept. */
const shortened = (words: string) => (words.length <= 300 ? words : `${words.slice(0, 299)}…`)

/** What a tool says follows when its pair no longer counts: each a manipulation of its own, in the name of that tool. */
function cascade(
  bench: Bench,
  { to }: Proposal,
  causedBy: ManipulationId,
  pair: IndexedPair,
  depth: number,
  seen: Set<string>,
): void {
  if (to !== 'superseded' && to !== 'invalidated' && to !== 'archived') return
  for (const { cascade: rules = [] } of bench.strategies.of(pair.pair))
    for (const rule of rules)
      for (const next of related(bench.index, pair, rule)) {
        // Where it has been already, it would go round for ever.
        if (seen.has(next.call.part.id) || markIn(bench.ground, next.call) !== 'active') continue
        carry(bench, { ...proposalFor(rule, pair, next), causedBy }, depth + 1, seen)
      }
}

/** What a tool's rule proposes for one pair. */
export function proposalFor(rule: RuleBase, by: IndexedPair, target: IndexedPair): Proposal {
  return {
    actor: actorOf(by),
    strategy: rule.name,
    interactions: [target.pair.interaction as InteractionId],
    parts: partsOf(target),
    to: rule.to,
    rendering: rule.rendering,
    reason: rule.reason,
    trigger: by.call.part.id,
    replacedBy: by.result?.part.id ?? null,
    causedBy: null,
  }
}

/** A tool acts under the owner that its driver gave it. */
export const actorOf = ({ pair: { owner, tool } }: IndexedPair): Actor => ({ kind: 'tool', owner, tool })

/** Both halves of a pair. */
export const partsOf = ({ call, result }: IndexedPair): readonly string[] =>
  result === null ? [call.part.id] : [call.part.id, result.part.id]
