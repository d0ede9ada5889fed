import { objectOf, textOrNull, type Fields } from '../kit/fields.ts'
import type { Op } from '../kit/parts.ts'
import { showLimits, usageLimit } from '../kit/usage-limit.ts'

/** The limits of a subscription, in the spelling of the app-server or of rollouts; null where there are none. */
export function limitsIn(snapshot: Fields): Op | null {
  const isReached = (snapshot['rateLimitReachedType'] ?? snapshot['rate_limit_reached_type'] ?? null) !== null
  const of = textOrNull(snapshot, 'limitName') ?? textOrNull(snapshot, 'limit_name')
  const limits = ['primary', 'secondary'].flatMap(key => {
    const window = objectOf(snapshot, key)
    const percent = window['usedPercent'] ?? window['used_percent']
    if (typeof percent !== 'number') return []
    const name = nameOf(window['windowDurationMins'] ?? window['window_minutes'])
    const used = percent / 100
    const resets = window['resetsAt'] ?? window['resets_at']
    return usageLimit(of === null ? name : `${of}: ${name}`, {
      used,
      resets,
      isReached: isReached && used >= 1,
    })
  })
  return limits.length === 0 ? null : showLimits(limits)
}

const hour = 60
const day = 24 * hour

function nameOf(minutes: Fields[string] | undefined): string {
  if (typeof minutes !== 'number') return 'usage'
  if (minutes === 7 * day) return 'week'
  if (minutes % day === 0) return `${minutes / day} days`
  return minutes % hour === 0 ? `${minutes / hour} hours` : `${minutes} minutes`
}
