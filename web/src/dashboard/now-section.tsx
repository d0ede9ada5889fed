import { useState, type ReactElement } from 'react'
import { wholeCost, type Costs, type Usage } from 'dragoman/client/usage'
import { agentTitle, useKnownAgents } from '../agents/use-agents.ts'
import { inertString } from '../safety/inert-text.ts'
import { dollars, short } from '../ui/amounts.ts'
import { inFull } from '../ui/moments.ts'
import { binOf, dayOf } from './bins.ts'
import { Card } from './card.tsx'
import { NotYet } from './not-yet.tsx'
import { addCosts } from './add-costs.ts'
import styles from './totals.module.css'
import { useUsage } from './use-usage.ts'

const dayMs = 86_400_000

/** Costs of today, of this week and of the current five-hour block, whatever period is chosen. */
export function NowSection({ zone, demo }: { readonly zone: string; readonly demo?: '1' }): ReactElement {
  const [now] = useState(Date.now)
  const today = dayOf(now)
  const days = useUsage({ zone, by: 'day', from: binOf(today, 'week'), ...(demo && { demo }) })
  const blocks = useUsage({ zone, by: 'block', from: String(now - dayMs), ...(demo && { demo }) })
  const failed = [days, blocks].find(({ problem }) => problem !== null)
  if (days.usage === null || blocks.usage === null)
    return (
      <NotYet
        what="recent usage"
        problem={failed?.problem ?? null}
        onAgain={() => {
          days.again()
          blocks.again()
        }}
      />
    )
  return (
    <dl className={styles['totals']} aria-label="Now">
      <Spent name="Today" costs={costsOn(days.usage, today)} />
      <Spent name="This week" costs={addCosts(days.usage.rows)} />
      <Block usage={blocks.usage} />
      {blocks.usage.limits.map(limit => (
        <Limit key={`${limit.agent} ${limit.name}`} limit={limit} />
      ))}
    </dl>
  )
}

/** A limit of a subscription, as its agent reported it last. */
function Limit({ limit }: { readonly limit: Usage['limits'][number] }): ReactElement {
  const { agent, name, used, resetsAt, isReached, at } = limit
  const agents = useKnownAgents()
  const value = used === null ? (isReached ? 'Reached' : '–') : `${Math.round(used * 100)} %`
  const times = [...(resetsAt === null ? [] : [`Resets ${inFull(resetsAt)}`]), `reported ${inFull(at)}`]
  return (
    <Card name={inertString(`${agentTitle(agents, agent)}: ${name}`)} value={value} more={times.join(', ')} />
  )
}

const costsOn = ({ rows }: Usage, today: string) => addCosts(rows.filter(({ day }) => day === today))

const Spent = ({ name, costs }: { readonly name: string; readonly costs: Costs }): ReactElement => (
  <Card name={name} value={dollars(wholeCost(costs) ?? 0)} more={estimatedPart(costs)} />
)

const estimatedPart = ({ estimated }: Costs) =>
  estimated === null ? null : `${dollars(estimated)} of it estimated`

/** The block that goes on, and its speed. */
function Block({ usage: { rows } }: { readonly usage: Usage }): ReactElement {
  const row = rows.findLast(({ burn }) => burn?.active === true)
  const name = 'Five-hour block'
  if (row?.burn === undefined) return <Card name={name} value="–" more="No activity in the current block" />
  const { costPerHour, projected, tokensPerMinute, end } = row.burn
  const until = new Date(end).toLocaleTimeString(undefined, { timeStyle: 'short' })
  const speed = costPerHour === null ? '' : `${dollars(costPerHour)} per hour, `
  const goal = projected === null ? `until ${until}` : `${dollars(projected)} projected until ${until}`
  const tokens = tokensPerMinute === null ? '' : `; ${short(Math.round(tokensPerMinute))} tokens per minute`
  return <Card name={name} value={dollars(wholeCost(row.costs) ?? 0)} more={`${speed}${goal}${tokens}`} />
}
