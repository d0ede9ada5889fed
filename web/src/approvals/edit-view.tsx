import { lazy, Suspense, type ReactElement } from 'react'
import type { ListedApproval } from 'dragoman/client'
import type { CallPlace } from 'dragoman/client/work-log'
import { FieldList } from './field-list.tsx'

const EditDiff = lazy(async () => ({ default: (await import('./edit-diff.tsx')).EditDiff }))

/** What an edit would change: as it came, until the comparison is there. */
export const EditView = (props: {
  readonly approval: ListedApproval
  readonly place: CallPlace
}): ReactElement => (
  <Suspense fallback={<FieldList input={props.approval.input} shown={[]} />}>
    <EditDiff {...props} />
  </Suspense>
)
