import type { ReactElement, ReactNode } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { agentTitle, earlierAgent, useKnownAgents, type Agents } from '../agents/use-agents.ts'
import { counted, short } from '../ui/amounts.ts'
import { inFull } from '../ui/moments.ts'
import { dayName, timeOfDay } from './days.ts'
import styles from './mark-rows.module.css'
import type { RowOf } from './row.ts'

const Mark = ({
  children,
  strong = false,
}: {
  readonly children: ReactNode
  readonly strong?: boolean
}): ReactElement => (
  <div className={styles['mark']}>
    <span className={strong ? styles['strong'] : undefined}>{children}</span>
  </div>
)

const Moment = ({ at, children }: { readonly at: number; readonly children: ReactNode }): ReactElement => (
  <time dateTime={new Date(at).toISOString()} title={inFull(at)}>
    {children}
  </time>
)

/** The start of a day. */
export const DayRow = ({ row: { at } }: { readonly row: RowOf<'day'> }): ReactElement => (
  <Mark strong>
    <Moment at={at}>{dayName(at, Date.now())}</Moment>
  </Mark>
)

const causes = {
  user: null,
  agent: 'The agent continued on its own',
  schedule: 'Started by a schedule',
  synthetic: 'Started automatically',
} as const

/** The start of an interaction: its cause if it was not a prompt, and its time after a long pause. */
export function BoundaryRow({ row }: { readonly row: RowOf<'boundary'> }): ReactElement {
  const { trigger, at, afterPause } = row
  const cause = causes[trigger]
  if (cause === null && !afterPause) return <hr className={styles['plain']} title={inFull(at)} />
  return (
    <Mark>
      {cause}
      {cause !== null && afterPause && ' · '}
      {afterPause && <Moment at={at}>{timeOfDay(at)}</Moment>}
    </Mark>
  )
}

/** Where the agent compacted the conversation into a summary. */
export const CompactionRow = ({ row: { words } }: { readonly row: RowOf<'compaction'> }): ReactElement => (
  <details className={styles['compaction']}>
    <summary>
      <Mark strong>Conversation compacted</Mark>
    </summary>
    <p>
      <InertText text={words} />
    </p>
  </details>
)

const ways = {
  resumed: 'It continues from its saved session.',
  forked: 'It continues from a copy of its saved session.',
  compiled: 'It gets the conversation with every request.',
} as const

/** Where another agent, or one without the session's memory, takes over. */
export function HandoverRow({ row }: { readonly row: RowOf<'handover'> }): ReactElement {
  const agents = useKnownAgents()
  return (
    <div className={styles['handover']}>
      <Mark strong>
        <InertText text={whoTakesOver(agents, row)} />
      </Mark>
      <p className={styles['how']}>{howOf(row)}</p>
    </div>
  )
}

function whoTakesOver(agents: Agents, { agent, before, lost }: RowOf<'handover'>): string {
  const title = agentTitle(agents, agent)
  if (before === null && lost !== undefined)
    return `${title} no longer had this session and started a new one`
  if (before === null) return `${title} restarted from this conversation`
  if (before === earlierAgent) return `${title} continues an earlier conversation`
  return `Moved from ${agentTitle(agents, before)} to ${title}`
}

function howOf({ how, transcript }: RowOf<'handover'>): string | null {
  if (how !== null && how !== 'transcript') return ways[how]
  if (transcript === null) return null
  const { messages, characters, omitted } = transcript
  const left = omitted === 0 ? '' : ` The oldest ${counted(omitted, 'message')} didn’t fit.`
  return `It got a copy of the conversation: ${counted(messages, 'message')}, ${counted(characters, 'character', short)}.${left}`
}
