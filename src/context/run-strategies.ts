import type { History } from './history.ts'
import type { IndexedPair } from './history-index.ts'
import {
  carryOut,
  createBench,
  proposalFor,
  type Bench,
  type BenchOptions,
  type ManipulationEvent,
} from './manage.ts'
import { markIn } from './permission.ts'
import { byMeaning, byParameters, isAged } from './strategies/find-obsolete.ts'
import type { RuleBase } from './strategies/strategy.ts'

/** What the result of a call makes obsolete, by the strategies of its tool. To be called when the result is there. */
export function strategiesAfter(
  history: History,
  call: string,
  options: BenchOptions,
): readonly ManipulationEvent[] {
  const bench = createBench(history, options)
  const pair = bench.index.part(call)?.pair ?? null
  if (pair === null || pair.result === null) return []
  for (const strategy of bench.strategies.of(pair.pair)) {
    for (const rule of strategy.parameters ?? [])
      for (const earlier of byParameters(bench.index, pair, rule)) propose(bench, rule, pair, earlier)
    for (const rule of strategy.invalidates ?? [])
      for (const earlier of byMeaning(bench.index, pair, rule)) propose(bench, rule, pair, earlier)
  }
  return bench.events
}

/** What is too old at a boundary, by journal time. */
export function strategiesAtBoundary(
  history: History,
  at: number,
  options: BenchOptions,
): readonly ManipulationEvent[] {
  const bench = createBench(history, options)
  for (const pair of bench.index.pairs())
    for (const { age } of bench.strategies.of(pair.pair))
      if (age !== undefined && isAged(pair, age, at)) propose(bench, age, pair, pair)
  return bench.events
}

/** What counts no longer is left alone; only what is untrue and stands here again is put away, by the house's rule. */
function propose(bench: Bench, rule: RuleBase, by: IndexedPair, target: IndexedPair): void {
  const mark = markIn(bench.ground, target.result ?? target.call)
  const proposal = proposalFor(rule, by, target)
  if (mark === 'active') carryOut(bench, proposal)
  else if (mark === 'invalidated' && rule.to === 'superseded')
    carryOut(bench, { ...proposal, actor: { kind: 'policy', name: 'rules' }, to: 'archived' })
}
