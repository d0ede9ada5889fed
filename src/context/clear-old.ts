import { clearHalves, leastTokens, type Half } from './clear.ts'
import { isShown, openPairs, type ContextState, type PairPlace, type Place } from './context-state.ts'
import { isKept } from './ledger.ts'
import type { Pressure, Sweep, Tidying } from './policy.ts'
import { textsOf } from './part-texts.ts'
import { isLongInput } from './render-part.ts'
import type { Target } from './target.ts'
import { tokensOfText } from './tokens.ts'

/** Tools whose results are answers of a person, reports of subagents or instructions: these stay useful when they are old. */
const lasting = new Set(['ask', 'delegate', 'helper', 'plan', 'task', 'todo', 'skill', 'recall'])

/** Clearing fewer tokens than this is not worth the thinking that may be lost. */
const leastGain = 1000

/** Clears old results when the cache is cold anyway; gives whether it cleared any. */
export function clearWhenCold(state: ContextState, target: Target, rules: Sweep): boolean {
  const old = oldHalves(state, target, rules).filter(isResult)
  if (gainOf(old) < leastGain) return false
  clearHalves(state, old, { rule: 'cold', why: 'old', step: target.step })
  return true
}

/** How often to check whether clearing pays: the check reads every pair. */
const tidyEvery = 4

/**
 * Clears results that were not used for long, although the cache is warm. The prefix is then read again once, at full price; from the
 * next request on each is smaller, and with as much gained as the policy asks for that is soon more.
 */
export function clearUnused(state: ContextState, target: Target, rules: Tidying): void {
  const { step } = target
  if (step % tidyEvery !== 0 || state.after < rules.leastGain) return
  const old = oldHalves(state, target, rules).filter(isResult)
  if (gainOf(old) < rules.leastGain) return
  clearHalves(state, old, { rule: 'unused', why: 'unused for long', step })
}

/** Inputs of writes are the source of later edits: they are cleared only when the window fills. */
const isResult = ({ place }: Half) => place.part.kind === 'result'

const oldHalves = (state: ContextState, target: Target, rules: Sweep) =>
  clearableHalves(state, target).filter(half => isOld(state, target, rules, half))

function isOld(state: ContextState, { step }: Target, { keepSteps, keepFiles }: Sweep, { pair }: Half) {
  return step - lastUse(state, pair) >= (isOfFile(pair) ? keepFiles : keepSteps)
}

const clearableHalves = (state: ContextState, target: Target): readonly Half[] =>
  openPairs(state).flatMap(pair =>
    [pair.call, pair.result].flatMap(place => {
      const half = place === null ? null : { pair, place }
      return half !== null && isClearable(state, target, half) ? [half] : []
    }),
  )

/** A batch that frees less than this share of the window waits for more: each one costs the cache. */
const leastRelief = 0.04

/** From this share of the window on it does not wait. */
const urgent = 0.77

/** Clears in one batch when the window fills: the least recently used first, so files in use last. */
export function clearWhenFull(state: ContextState, target: Target, pressure: Pressure): void {
  const { window, fixedTokens, step } = target
  const full = fixedTokens + state.after
  if (full <= pressure.from * window) return
  const isUrgent = full > urgent * window
  const isPast = ({ pair: { pair } }: Half) => pair.step <= step - pressure.keepSteps
  const [old, young] = parted(clearableHalves(state, target).filter(isPast), half =>
    isOld(state, target, pressure, half),
  )
  const candidates = [...inOrder(state, old), ...(isUrgent ? inOrder(state, young) : [])]
  const batch = firstOf(candidates, full - pressure.to * window)
  if (batch.length === 0 || (!isUrgent && gainOf(batch) < leastRelief * window)) return
  clearHalves(state, batch, { rule: 'pressure', why: 'window full', step })
}

/** Results first, then written texts; each ordered by last use. */
function inOrder(state: ContextState, halves: readonly Half[]): readonly Half[] {
  const useOf = (half: Half) => (isObsolete(half) ? 0 : lastUse(state, half.pair))
  return parted(halves, isResult).flatMap(part =>
    part
      .map(half => ({ half, use: useOf(half) }))
      .toSorted((a, b) => a.use - b.use)
      .map(({ half }) => half),
  )
}

function parted(halves: readonly Half[], isFirst: (half: Half) => boolean): readonly [Half[], Half[]] {
  return [halves.filter(isFirst), halves.filter(half => !isFirst(half))]
}

/** As many from the beginning as it takes. */
function firstOf(candidates: readonly Half[], wanted: number): readonly Half[] {
  let excess = wanted
  const enough = candidates.findIndex(half => {
    const isEnough = excess <= 0
    excess -= gainOf([half])
    return isEnough
  })
  return enough === -1 ? candidates : candidates.slice(0, enough)
}

const refusable = ['cold', 'unused', 'pressure']

function isClearable(state: ContextState, { onlyResults = false }: Target, { pair: { pair }, place }: Half) {
  if (lasting.has(pair.family)) return false
  // Of the inputs of tools, only those of writes are long, and their content is in the files.
  if (place.part.kind === 'call' ? onlyResults || !isLongWrite(pair, place) : place.sent < leastTokens)
    return false
  const { standing } = place
  if (isKept(standing) || refusable.some(rule => standing.refused.has(rule))) return false
  return isShown(state, place.part.id)
}

const isLongWrite = ({ effect }: PairPlace['pair'], place: Place) =>
  effect === 'write' && place.sent >= leastTokens && inputGain(place) > 0

/** Results that tools and rules found obsolete are cleared first. */
function isObsolete({ place: { standing } }: Half): boolean {
  const { validity } = standing
  return validity !== null && validity.to !== 'active' && validity.rendering.how === 'clear'
}

const isOfFile = ({ pair }: PairPlace) => pair.resources.some(({ key }) => key.startsWith('file:'))

/** The last request that used the resource of a pair: a file in use is read and changed again. */
function lastUse({ touched }: ContextState, { pair }: PairPlace): number {
  let last = pair.step
  for (const { key } of pair.resources) last = Math.max(last, touched.get(key) ?? 0)
  return last
}

/** The tokens that clearing saves, less those of the placeholders. */
const gainOf = (halves: readonly Half[]) =>
  halves.reduce(
    (sum, { place }) =>
      sum + (place.part.kind === 'call' ? inputGain(place) : Math.max(0, place.sent - leastTokens)),
    0,
  )

/** Short fields of an input stay; each long one gets a placeholder. */
const inputGain = ({ part }: Place): number =>
  textsOf(part)
    .filter(isLongInput)
    .reduce((sum, { length }) => sum + Math.max(0, tokensOfText(length) - leastTokens), 0)
