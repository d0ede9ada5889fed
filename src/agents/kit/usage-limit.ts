import type { DataParts } from '../../protocol/data-parts.ts'
import type { Json } from '../../protocol/json.ts'
import type { Op } from './parts.ts'

type UsageLimit = DataParts['limits']['limits'][number]

/** A limit as an agent reports it: the used share, and the moment of its reset in seconds since 1970. */
export function usageLimit(
  name: string,
  reported: {
    readonly used: Json | undefined
    readonly resets: Json | undefined
    readonly isReached: boolean
  },
): UsageLimit {
  const used = numberWithin(reported.used, mostUsed)
  const resets = numberWithin(reported.resets, lastSecond)
  return {
    name,
    used,
    resetsAt: resets === null ? null : Math.round(resets * 1000),
    isReached: reported.isReached,
  }
}

/** Shows limits; later ones with the same id replace them. */
export const showLimits = (limits: readonly UsageLimit[], id = 'limits'): Op => ({
  type: 'show',
  chunk: { type: 'data-limits', id, data: { limits } },
})

/** More than that is a mistake. */
const mostUsed = 1000
/** The end of the year 9999. */
const lastSecond = 253_402_300_799

const numberWithin = (value: Json | undefined, most: number): number | null =>
  typeof value === 'number' && value >= 0 && value <= most ? value : null
