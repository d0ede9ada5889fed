import type { ReactElement } from 'react'
import type { UsageQuery } from 'dragoman/client/usage'
import { Downloads } from './downloads.tsx'
import { MeasureTable } from './measure-table.tsx'
import { measuresOf } from './measures.ts'
import { NotYet } from './not-yet.tsx'
import { Section } from './section.tsx'
import { useUsage } from './use-usage.ts'

/** Five-hour blocks, and how fast they were used. */
export function BlockSection({ query }: { readonly query: UsageQuery }): ReactElement {
  const { usage, problem, again } = useUsage({ ...query, by: 'block' })
  return (
    <Section title="Five-hour blocks">
      {usage === null ? (
        <NotYet what="blocks" problem={problem} onAgain={again} />
      ) : (
        <>
          <MeasureTable
            caption="Five-hour blocks as a table"
            by="block"
            rows={usage.rows}
            measures={measuresOf.block}
          />
          <Downloads usage={usage} name="block" />
        </>
      )}
    </Section>
  )
}
