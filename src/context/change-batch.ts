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

/** How many levels of changes may follow from one change. */
export const deepest = 8

/** The result of a proposal: a manipulation, or the audit of a refused one. */
export type ManipulationEvent = EventOf<'manipulation-applied' | 'manipulation-rejected'>

/** A batch of changes of one history, judged one by one; each sees those before it. */
export interface ChangeBatch {
  readonly index: HistoryIndex
  readonly strategies: Strategies
  readonly effective: Effectiveness
  readonly newId: NewId
  readonly events: ManipulationEvent[]
  readonly ground: Ground
  readonly since: Map<string, Since>
}

/** What is needed to change the validity of parts of a history. */
export interface ChangeBatchOptions {
  readonly strategies: Strategies
  /** Kept between calls, so that a history that grew is not read from the beginning. */
  readonly index?: HistoryIndex
  /** The number of the request that comes next. */
  readonly step: number
  readonly effective: Effectiveness
  readonly newId: NewId
}

/** Starts a batch of changes. */
export function createChangeBatch(history: History, options: ChangeBatchOptions): ChangeBatch {
  const { strategies, effective, newId, step, index = createHistoryIndex() } = options
  index.follow(history)
  const since = new Map<string, Since>()
  const { consents } = strategies
  const ground: Ground = { index, ledger: history.ledger, since, step, consents }
  return { index, strategies, effective, newId, events: [], ground, since }
}

/** Makes the change of a proposal if it is permitted, with the changes that follow from it; otherwise saves the refusal. */
export function makeChange(batch: ChangeBatch, proposal: Proposal): void {
  carry(batch, proposal, 0, new Set())
}

function carry(batch: ChangeBatch, proposal: Proposal, depth: number, seen: Set<string>): void {
  if (depth > deepest)
    return refuse(batch, proposal, 'too-deep', `It depends on a chain of more than ${deepest} other changes.`)
  const verdict = judge(batch.ground, proposal)
  if (!verdict.isAllowed) return refuse(batch, proposal, verdict.code, verdict.why)
  const targets = verdict.targets.filter(target => !isRefused(batch.ground, proposal, target))
  if (targets.length === 0) return
  const before = targets.map(target => ({ part: target.part.id, was: markIn(batch.ground, target) }))
  const parts = targets.map(({ part }) => part.id)
  const manipulation = batch.newId<ManipulationId>()
  const saving = targets.reduce((sum, target) => sum + savingOf(target, proposal), 0)
  const { effective } = batch
  batch.events.push({
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
    if (proposal.to !== null) batch.since.set(part, sinceWith(batch.since.get(part), proposal.to))
  }
  const pairs = new Set(targets.flatMap(({ pair }) => pair ?? []))
  for (const pair of pairs) cascade(batch, proposal, manipulation, pair, depth, seen)
}

/** A rule does not repeat a change that was rolled back, and no rule changes a part whose change a person rolled back. */
function isRefused(ground: Ground, { actor, strategy }: Proposal, target: IndexedPart): boolean {
  if (actor.kind === 'person') return false
  const { refused, isProtected } = standingOf(ground, target)
  return isProtected || refused.has(strategy)
}

/** Saves a refusal; nothing is changed. The proposal may be of any length, the saved refusal is not. */
export function refuse(batch: ChangeBatch, proposal: Proposal, code: Refusal, why: string): void {
  const parts = proposal.parts.slice(0, mostNamed).map(part => shortened(part))
  batch.events.push({ type: 'manipulation-rejected', ...proposal, parts, code, why: shortened(why) })
}

/** How many parts a saved refusal names. */
const mostNamed = 100

/** A text of a strategy, cut to a length that can be saved. */
const shortened = (words: string) => (words.length <= 300 ? words : `${words.slice(0, 299)}…`)

/** The changes that follow when a pair of a tool is no longer valid: each a manipulation in the name of that tool. */
function cascade(
  batch: ChangeBatch,
  { to }: Proposal,
  causedBy: ManipulationId,
  pair: IndexedPair,
  depth: number,
  seen: Set<string>,
): void {
  if (to !== 'superseded' && to !== 'invalidated' && to !== 'archived') return
  for (const { cascade: rules = [] } of batch.strategies.of(pair.pair))
    for (const rule of rules)
      for (const next of related(batch.index, pair, rule)) {
        // A part that was changed before in this cascade would cause an endless loop.
        if (seen.has(next.call.part.id) || markIn(batch.ground, next.call) !== 'active') continue
        carry(batch, { ...proposalFor(rule, pair, next), causedBy }, depth + 1, seen)
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
