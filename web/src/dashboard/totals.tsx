import type { ReactElement } from 'react'
import { costWords, wholeCost, type Usage } from 'dragoman/client/usage'
import { counted, dollars, short } from '../ui/amounts.ts'
import { duration } from '../ui/moments.ts'
import { Card } from './card.tsx'
import { percent } from './measures.ts'
import styles from './totals.module.css'

/** Totals, and what is missing from them. */
export function Totals({ usage }: { readonly usage: Usage }): ReactElement {
  const { total } = usage
  const { tokens, failures, sessions, cache, lines, waitTime } = total
  const { input, output, cacheRead, cacheWrite } = tokens ?? noTokens
  const cost = wholeCost(total.costs)
  return (
    <dl className={styles['totals']}>
      <Card name="Cost" value={cost === null ? 'unknown' : dollars(cost)} more={aboutCost(usage)} />
      <Card
        name="Tokens"
        value={short(input + output)}
        more={`and ${short(cacheRead + cacheWrite)} cached`}
      />
      <Card
        name="Cache hits"
        value={cache.hitRate === null ? '–' : percent(cache.hitRate)}
        more={cache.saved === null ? null : `saved ${dollars(cache.saved)}`}
      />
      <Card
        name="Turn time"
        value={total.time ? duration(total.time) : 'not reported'}
        more={waitTime ? `${duration(waitTime)} of calls waiting for you` : 'includes time waiting for you'}
      />
      <Card
        name="Turns"
        value={short(total.interactions ?? 0)}
        more={`in ${counted(sessions, 'session', short)}, ${short(failures.interactions ?? 0)} failed`}
      />
      <Card name="Tool calls" value={short(total.calls ?? 0)} more={`${short(failures.calls ?? 0)} failed`} />
      <Card
        name="Lines changed"
        value={lines === null ? '–' : `+${short(lines.added)} −${short(lines.removed)}`}
        more="as far as tools report it"
      />
    </dl>
  )
}

/** How much of the cost is estimated, or that nothing is known. */
function aboutCost({ total: { costs, sessions }, unknown }: Usage): string | null {
  if (costs.estimated !== null) return costWords(costs, dollars)?.replace(/^\S+, /, '') ?? null
  if (unknown.sessions === 0) return null
  return sessions === 1
    ? 'No cost data for the session'
    : `No cost data for ${unknown.sessions} of ${sessions} sessions`
}

const noTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
