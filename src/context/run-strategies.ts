import type { History } from './history.ts'
import type { IndexedPair } from './history-index.ts'
import {
  makeChange,
  createChangeBatch,
  proposalFor,
  type ChangeBatch,
  type ChangeBatchOptions,
  type ManipulationEvent,
} from './change-batch.ts'
import { markIn } from './permission.ts'
import { byMeaning, byParameters, isAged } from './strategies/find-obsolete.ts'
import type { RuleBase } from './strategies/strategy.ts'

/** What the result of a call makes obsolete, by the strategies of its tool. To be called when the result is there. */
export function strategiesAfter(
  history: History,
  call: string,
  options: ChangeBatchOptions,
): readonly ManipulationEvent[] {
  const batch = createChangeBatch(history, options)
  const pair = batch.index.part(call)?.pair ?? null
  if (pair === null || pair.result === null) return []
  for (const strategy of batch.strategies.of(pair.pair)) {
    for (const rule of strategy.parameters ?? [])
      for (const earlier of byParameters(batch.index, pair, rule)) propose(batch, rule, pair, earlier)
    for (const rule of strategy.invalidates ?? [])
      for (const earlier of byMeaning(batch.index, pair, rule)) propose(batch, rule, pair, earlier)
  }
  return batch.events
}

/** The results that are too old at the end of an interaction, by journal time. */
export function strategiesAtBoundary(
  history: History,
  at: number,
  options: ChangeBatchOptions,
): readonly ManipulationEvent[] {
  const batch = createChangeBatch(history, options)
  for (const pair of batch.index.pairs())
    for (const { age } of batch.strategies.of(pair.pair))
      if (age !== undefined && isAged(pair, age, at)) propose(batch, age, pair, pair)
  return batch.events
}

/** Invalid pairs are not changed again, except outdated ones that a later result repeats. */
function propose(batch: ChangeBatch, rule: RuleBase, by: IndexedPair, target: IndexedPair): void {
  const mark = markIn(batch.ground, target.result ?? target.call)
  const proposal = proposalFor(rule, by, target)
  if (mark === 'active') makeChange(batch, proposal)
  else if (mark === 'invalidated' && rule.to === 'superseded')
    makeChange(batch, { ...proposal, actor: { kind: 'policy', name: 'rules' }, to: 'archived' })
}
