import { useState, type ReactElement } from 'react'
import type { UsageQuery } from 'dragoman/client/usage'
import { Segments } from '../ui/segments.tsx'
import { Downloads } from './downloads.tsx'
import { MeasureTable } from './measure-table.tsx'
import { measuresOf } from './measures.ts'
import { NotYet } from './not-yet.tsx'
import { Note } from './note.tsx'
import { Section } from './section.tsx'
import { useUsage } from './use-usage.ts'

const choices = [
  { name: 'session', label: 'Sessions' },
  { name: 'interaction', label: 'Prompts' },
] as const

type Ranked = (typeof choices)[number]['name']

/** The ten most expensive sessions or prompts. */
export function TopSection({ query }: { readonly query: UsageQuery }): ReactElement {
  const [by, setBy] = useState<Ranked>('session')
  const { usage, problem, again } = useUsage({ ...query, by, top: '10' })
  const choice = <Segments label="Rank" options={choices} chosen={by} onChoose={setBy} />
  const what = by === 'session' ? 'sessions' : 'prompts'
  return (
    <Section title="Most expensive" choice={choice}>
      {usage === null ? (
        <NotYet what={what} problem={problem} onAgain={again} />
      ) : usage.rows.length === 0 ? (
        <Note>No cost data for this period.</Note>
      ) : (
        <>
          <MeasureTable
            caption={`The ten most expensive ${what}`}
            by={by}
            rows={usage.rows}
            measures={measuresOf[by]}
          />
          <Downloads usage={usage} name={`top-${what}`} />
        </>
      )}
    </Section>
  )
}
