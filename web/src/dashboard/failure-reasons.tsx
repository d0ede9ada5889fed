import type { ReactElement } from 'react'
import type { UsageQuery } from 'dragoman/client/usage'
import { Downloads } from './downloads.tsx'
import { MeasureTable } from './measure-table.tsx'
import { measuresOf } from './measures.ts'
import { NotYet } from './not-yet.tsx'
import { Note } from './note.tsx'
import { useUsage } from './use-usage.ts'

const mostReasons = 50

/** Why tool calls failed, the most frequent reasons first. */
export function FailureReasons({ query }: { readonly query: UsageQuery }): ReactElement {
  const { usage, problem, again } = useUsage({ ...query, by: 'tool,reason', top: String(mostReasons) })
  if (usage === null) return <NotYet what="reasons for failures" problem={problem} onAgain={again} />
  if (usage.rows.length === 0) return <Note>No tool call failed in this period.</Note>
  return (
    <>
      <MeasureTable
        caption="Reasons for failures as a table"
        by="reason"
        rows={usage.rows}
        measures={measuresOf.reason}
      />
      <Downloads usage={usage} name="tool-and-reason" />
    </>
  )
}
