import type { ReactElement } from 'react'
import type { Usage } from 'dragoman/client/usage'
import { counted, dollars, short } from '../ui/amounts.ts'
import { duration } from '../ui/moments.ts'
import styles from './totals.module.css'

/** Totals, and what is missing from them. */
export function Totals({ usage: { total, unknown } }: { readonly usage: Usage }): ReactElement {
  const { tokens, failures, sessions } = total
  const { input, output, cacheRead, cacheWrite } = tokens ?? noTokens
  return (
    <dl className={styles['totals']}>
      <Card
        name="Cost"
        value={total.cost === null ? 'not reported' : dollars(total.cost)}
        more={unknown.sessions === 0 ? null : costless(unknown.sessions, sessions)}
      />
      <Card
        name="Tokens"
        value={short(input + output)}
        more={`and ${short(cacheRead + cacheWrite)} cached`}
      />
      <Card
        name="Turn time"
        value={total.time ? duration(total.time) : 'not reported'}
        more="includes time waiting for you"
      />
      <Card
        name="Turns"
        value={short(total.interactions ?? 0)}
        more={`in ${counted(sessions, 'session', short)}, ${short(failures.interactions ?? 0)} failed`}
      />
      <Card name="Tool calls" value={short(total.calls ?? 0)} more={`${short(failures.calls ?? 0)} failed`} />
    </dl>
  )
}

const costless = (count: number, all: number) =>
  all === 1 ? 'No cost data for the session' : `No cost data for ${count} of ${all} sessions`

const noTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

const Card = ({
  name,
  value,
  more,
}: {
  readonly name: string
  readonly value: string
  readonly more: string | null
}): ReactElement => (
  <div className={styles['card']}>
    <dt>{name}</dt>
    <dd className={styles['value']}>{value}</dd>
    {more !== null && <dd className={styles['more']}>{more}</dd>}
  </div>
)
