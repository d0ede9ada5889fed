import { placeOfChange } from './prefix.ts'
import { cacheModels, costOf, fixedPrefix, tooLarge, type CacheModel } from '../counting.ts'
import type { Shown } from '../policy.ts'
import type { Request } from '../transcript/segment.ts'

/** The usage of requests, added up. */
export interface Usage {
  messageTokens: number
  cost: number
  costUncached: number
  tooLarge: number
  warmBreaks: number
}

export const noUsage = (): Usage => ({
  messageTokens: 0,
  cost: 0,
  costUncached: 0,
  tooLarge: 0,
  warmBreaks: 0,
})

/** Adds up the requests of one segment under one way of charging. */
export function createMeter(
  model: CacheModel,
  usage: Usage,
): (request: Request, shown: readonly Shown[]) => void {
  let before: { readonly at: number; readonly shown: readonly Shown[] } | null = null
  return (request, shown) => {
    const tokens = sum(shown, 0, shown.length)
    const isWarm = before !== null && request.at - before.at <= model.seconds * 1000
    const same = before === null ? 0 : placeOfChange(before.shown, shown)
    const cached = isWarm ? fixedPrefix + sum(shown, 0, same) : 0
    usage.messageTokens += tokens
    usage.cost += costOf(model, cached, fixedPrefix + tokens - cached)
    usage.costUncached += costOf(cacheModels.none, 0, fixedPrefix + tokens)
    if (fixedPrefix + tokens > tooLarge) usage.tooLarge++
    if (isWarm && before !== null && same < before.shown.length) usage.warmBreaks++
    before = { at: request.at, shown }
  }
}

function sum(shown: readonly Shown[], from: number, to: number): number {
  let tokens = 0
  for (let index = from; index < to; index++) tokens += shown[index]?.tokens ?? 0
  return tokens
}
