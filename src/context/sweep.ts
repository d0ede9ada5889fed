import { clearResults, leastTokens } from './clear.ts'
import { isShown, openPairs, type ContextState, type PairPlace } from './context-state.ts'
import { isKept } from './ledger.ts'
import type { Pressure, Sweep, Tidying } from './policy.ts'
import type { Target } from './target.ts'

/** What these gave is a person's word, a helper's report or a standing instruction: old is not useless there. */
const lasting = new Set(['ask', 'delegate', 'helper', 'plan', 'task', 'todo', 'skill', 'recall'])

/** Below this a sweep is not worth the thinking that it may cost. */
const leastGain = 1000

/** Clears old results at a moment when the cache is cold anyway. */
export function sweep(state: ContextState, { step }: Target, rules: Sweep): void {
  const old = oldPairs(state, step, rules)
  if (gainOf(old) < leastGain) return
  clearResults(state, old, { rule: 'cold', why: 'old', step })
}

/** How often it is asked whether tidying pays: asking looks at every pair. */
const tidyEvery = 4

/**
 * Clears what went unused for long although the cache is warm. The prefix is then read anew once, at full price; from the
 * next request on each is smaller, and with as much gained as the policy asks for that is soon more.
 */
export function tidy(state: ContextState, { step }: Target, rules: Tidying): void {
  if (step % tidyEvery !== 0 || state.after < rules.leastGain) return
  const old = oldPairs(state, step, rules)
  if (gainOf(old) < rules.leastGain) return
  clearResults(state, old, { rule: 'unused', why: 'unused for long', step })
}

const oldPairs = (state: ContextState, step: number, { keepSteps, keepFiles }: Sweep) =>
  openPairs(state).filter(pair => {
    const keep = isOfFile(pair) ? keepFiles : keepSteps
    return step - lastUse(state, pair) >= keep && isClearable(state, pair)
  })

const clearablePairs = (state: ContextState, upTo: number) =>
  openPairs(state).filter(pair => pair.pair.step <= upTo && isClearable(state, pair))

/** A batch that frees less than this share of the window waits for more: each one costs the cache. */
const leastRelief = 0.04

/** From this share of the window on it does not wait. */
const urgent = 0.77

/** Clears in one batch when the window fills: what was used longest ago first, so files at work last. */
export function relieve(state: ContextState, target: Target, pressure: Pressure): void {
  const { window, fixedTokens, step } = target
  const { keepSteps } = pressure
  const full = fixedTokens + state.after
  if (full <= pressure.from * window) return
  const isUrgent = full > urgent * window
  const candidates = (isUrgent ? clearablePairs(state, step - keepSteps) : oldPairs(state, step, pressure))
    .map(pair => ({ pair, use: isObsolete(pair) ? 0 : lastUse(state, pair) }))
    .toSorted((a, b) => a.use - b.use)
  let excess = full - pressure.to * window
  const batch: PairPlace[] = []
  for (const { pair } of candidates) {
    if (excess <= 0) break
    batch.push(pair)
    excess -= gainOf([pair])
  }
  if (batch.length === 0 || (!isUrgent && gainOf(batch) < leastRelief * window)) return
  clearResults(state, batch, { rule: 'pressure', why: 'window full', step })
}

const refusable = ['cold', 'unused', 'pressure']

function isClearable(state: ContextState, { pair, result }: PairPlace): boolean {
  if (result === null || result.sent < leastTokens || lasting.has(pair.family)) return false
  const { standing } = result
  if (isKept(standing) || refusable.some(rule => standing.refused.has(rule))) return false
  return isShown(state, result.part.id)
}

/** What tools and rules found obsolete, and let go, goes first. */
function isObsolete({ result }: PairPlace): boolean {
  const validity = result?.standing.validity
  return (
    validity !== null &&
    validity !== undefined &&
    validity.to !== 'active' &&
    validity.rendering.how === 'clear'
  )
}

const isOfFile = ({ pair }: PairPlace) => pair.resources.some(({ key }) => key.startsWith('file:'))

/** The last request that had to do with what a pair is about: a file that is worked on is read and changed again. */
function lastUse({ touched }: ContextState, { pair }: PairPlace): number {
  let last = pair.step
  for (const { key } of pair.resources) last = Math.max(last, touched.get(key) ?? 0)
  return last
}

/** What clearing gains, less what a placeholder takes. */
const gainOf = (pairs: readonly PairPlace[]) =>
  pairs.reduce((sum, { result }) => sum + Math.max(0, (result?.sent ?? 0) - leastTokens), 0)
