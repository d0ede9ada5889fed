import { useMemo, useState, type ReactElement } from 'react'
import type { Usage } from 'dragoman/client/usage'
import { InertText } from '../safety/inert-text.tsx'
import { short } from '../ui/amounts.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/empty.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { Segments } from '../ui/segments.tsx'
import { BreakdownSection } from './breakdown-section.tsx'
import { BlockSection } from './block-section.tsx'
import { CostSection } from './cost-section.tsx'
import styles from './dashboard-page.module.css'
import { Note } from './note.tsx'
import { NowSection } from './now-section.tsx'
import { TimeSection } from './time-section.tsx'
import { TokenSection } from './token-section.tsx'
import { ToolSection } from './tool-section.tsx'
import { TopSection } from './top-section.tsx'
import { Totals } from './totals.tsx'
import { dayOf } from './bins.ts'
import { useUsage } from './use-usage.ts'

/** What agents used, in all sessions: cost, tokens, time, tools and failures. */
export function DashboardPage(): ReactElement {
  const [period, setPeriod] = useState<Period>('30')
  const [now] = useState(Date.now)
  const from = firstDayOf(period, now)
  const query = useMemo(
    () => ({ ...(from !== undefined && { from }), ...demoQuery(location.search), zone: ownZone() }),
    [from],
  )
  const { usage, problem, isLoading, again } = useUsage({ ...query, by: 'day' })
  return (
    <div className={styles['page']} aria-busy={isLoading}>
      <div className={styles['head']}>
        <h1 className={styles['title']}>Dashboard</h1>
        <Segments label="Period" options={periods} chosen={period} onChoose={setPeriod} />
      </div>
      {problem !== null && (
        <p className={styles['problem']} role="alert">
          Couldn’t load usage: <InertText text={problem} />{' '}
          <Button small onClick={again}>
            Try again
          </Button>
        </p>
      )}
      {usage !== null && <Counting sessions={usage.unknown.waiting} />}
      {usage === null ? (
        problem === null && <Loading what="usage" />
      ) : isNothing(usage) ? (
        usage.unknown.waiting === 0 && <Nothing period={period} onAll={() => setPeriod('all')} />
      ) : (
        <Everything usage={usage} query={query} span={spanOf(usage, from, now)} />
      )}
    </div>
  )
}

function Everything({
  usage,
  query,
  span,
}: {
  readonly usage: Usage
  readonly query: { readonly from?: string; readonly zone: string; readonly demo?: '1' }
  readonly span: { readonly first: string; readonly last: string }
}): ReactElement {
  return (
    <>
      <NowSection zone={query.zone} {...(query.demo && { demo: query.demo })} />
      <Totals usage={usage} />
      <UnknownModels models={usage.unknown.models} />
      <CostSection query={query} span={span} />
      <TokenSection usage={usage} span={span} />
      <TimeSection usage={usage} span={span} />
      <BlockSection query={query} />
      <TopSection query={query} />
      <BreakdownSection query={query} />
      <ToolSection query={query} />
    </>
  )
}

/** Some sessions are not counted yet; until then "No activity" would be premature. */
const Counting = ({ sessions }: { readonly sessions: number }) =>
  sessions > 0 && (
    <Note>
      {sessions === 1 ? '1 older session is' : `${sessions} older sessions are`} still being counted. Totals
      will go up.
    </Note>
  )

function Nothing({ period, onAll }: { readonly period: Period; readonly onAll: () => void }): ReactElement {
  if (period === 'all')
    return (
      <Empty title="No usage yet">
        <p>This page shows cost, tokens, time, tools and failures. Demo sessions are not included.</p>
        <PlaceLink to={{ page: 'welcome' }}>Go to the start page</PlaceLink>
      </Empty>
    )
  return (
    <Empty title={period === '1' ? 'No activity today' : `No activity in the last ${period} days`}>
      <Button onClick={onAll}>Show all</Button>
    </Empty>
  )
}

/** Demo sessions are counted only at `/dashboard?demo=1`. */
const demoQuery = (search: string): { readonly demo?: '1' } =>
  new URLSearchParams(search).get('demo') === '1' ? { demo: '1' } : {}

const isNothing = ({ rows }: Usage) => rows.length === 0

/** From the first requested day, or the first day with data, up to today. */
function spanOf({ rows }: Usage, from: string | undefined, now: number) {
  const days = rows.flatMap(({ day }) => (day === undefined ? [] : [day])).toSorted()
  const today = dayOf(now)
  const last = days.at(-1) ?? today
  return { first: from ?? days[0] ?? today, last: last > today ? last : today }
}

/** A stretch of time that ends today. */
type Period = '1' | '7' | '30' | '90' | 'all'

/** The periods that can be chosen. */
const periods: readonly { readonly name: Period; readonly label: string }[] = [
  { name: '1', label: 'Today' },
  { name: '7', label: '7 days' },
  { name: '30', label: '30 days' },
  { name: '90', label: '90 days' },
  { name: 'all', label: 'All' },
]

/** The first day of a period; undefined for all time. */
function firstDayOf(period: Period, now: number): string | undefined {
  if (period === 'all') return undefined
  const date = new Date(now)
  date.setDate(date.getDate() - (Number(period) - 1))
  return dayOf(date.getTime())
}

/** The name of the user's time zone. */
const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Names the models whose tokens have no cost. */
function UnknownModels({ models }: Pick<Usage['unknown'], 'models'>): ReactElement | null {
  if (models.length === 0) return null
  const names = models.map(({ model, tokens }) => `${model ?? 'unknown model'} (${short(tokens)} tokens)`)
  return (
    <Note>
      No price is known for <InertText text={names.join(', ')} />. To add prices, set “prices” in
      dragoman.json.
    </Note>
  )
}
