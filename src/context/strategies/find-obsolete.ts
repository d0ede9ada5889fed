import { asObject } from '../../protocol/json.ts'
import type { LineRange, Resource } from '../../protocol/tool-call/resources.ts'
import type { HistoryIndex, IndexedPair } from '../history-index.ts'
import type { AgeRule, ParameterRule, SemanticRule } from './strategy.ts'

/** The earlier pairs that a call makes obsolete by its parameters. */
export function byParameters(
  index: HistoryIndex,
  later: IndexedPair,
  rule: ParameterRule,
): readonly IndexedPair[] {
  const resources = resourcesBy(rule, later)
  if (resources.length === 0 || (rule.now !== undefined && later.outcome !== rule.now)) return []
  const families = rule.families ?? [later.pair.family]
  const isMeant = (earlier: IndexedPair) =>
    isEarlier(earlier, later) &&
    families.includes(earlier.pair.family) &&
    earlier.pair.owner === later.pair.owner &&
    (rule.before === undefined || earlier.outcome === rule.before) &&
    (rule.on === undefined || earlier.pair.tool === later.pair.tool) &&
    matches(rule.match, resources, resourcesBy(rule, earlier))
  const isAnywhere = rule.match === 'prefix' || rule.on !== undefined
  const near = isAnywhere ? index.pairs() : index.about(resources[0]?.key ?? '')
  return near.filter(isMeant)
}

/** The resources of a pair: known from its tool, or from the fields that a rule names. */
function resourcesBy({ on }: ParameterRule, { pair, call }: IndexedPair): readonly Resource[] {
  if (on === undefined) return pair.resources
  const fields = asObject(call.part.kind === 'call' ? call.part.input : null)
  const values = on.map(name => (Object.hasOwn(fields, name) ? fields[name] : undefined))
  if (values.includes(undefined)) return []
  return values.map((value, at) => ({
    key: `${on[at]}:${typeof value === 'string' ? value : JSON.stringify(value)}`,
  }))
}

/** The earlier pairs that a call makes outdated. */
export function byMeaning(
  index: HistoryIndex,
  later: IndexedPair,
  rule: SemanticRule,
): readonly IndexedPair[] {
  if (later.outcome !== 'success') return []
  return related(index, later, rule).filter(earlier => isEarlier(earlier, later))
}

/** The pairs of an owner with the same resources as a pair, earlier or later. */
export function related(index: HistoryIndex, of: IndexedPair, rule: SemanticRule): readonly IndexedPair[] {
  const near =
    rule.match === 'any'
      ? index.pairs()
      : [...new Set(of.pair.resources.flatMap(({ key }) => index.about(key)))]
  return near.filter(
    each =>
      each !== of &&
      each.result !== null &&
      each.pair.owner === rule.owner &&
      rule.effects.includes(each.pair.effect),
  )
}

/** Whether a pair is too old for a rule of its tool. */
export const isAged = (pair: IndexedPair, { seconds }: AgeRule, at: number): boolean =>
  pair.result !== null && at - pair.at > seconds * 1000

const isEarlier = (earlier: IndexedPair, later: IndexedPair) =>
  earlier.order < later.order && earlier.result !== null

function matches(
  how: ParameterRule['match'],
  later: readonly Resource[],
  earlier: readonly Resource[],
): boolean {
  if (earlier.length === 0) return false
  switch (how) {
    case 'exact':
      return (
        later.length === earlier.length &&
        earlier.every(one => later.some(other => one.key === other.key && sameRange(one.range, other.range)))
      )
    case 'covering':
      return earlier.every(one =>
        later.some(other => one.key === other.key && covers(other.range, one.range)),
      )
    case 'prefix':
      return earlier.every(one => later.some(other => isWithin(one.key, other.key)))
  }
}

const sameRange = (a: LineRange | undefined, b: LineRange | undefined) =>
  a?.from === b?.from && a?.to === b?.to

/** No range is the whole file. */
function covers(later: LineRange | undefined, earlier: LineRange | undefined): boolean {
  if (later === undefined) return true
  if (earlier === undefined || later.from > earlier.from) return false
  return later.to === null || (earlier.to !== null && later.to >= earlier.to)
}

const isWithin = (inner: string, outer: string) =>
  inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`)
