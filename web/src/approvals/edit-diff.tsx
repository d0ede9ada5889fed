import { useMemo, type ReactElement } from 'react'
import type { ListedApproval } from 'dragoman/client'
import { toolNamed, type CallPlace } from 'dragoman/client/work-log'
import { diffOf } from '../tools/diff/diff-of.ts'
import { sectionsOf } from '../tools/sections/sections-of.ts'
import { shownCall } from '../tools/sections/shown-call.ts'
import { SectionView } from '../tools/views/section-view.tsx'
import { partOf } from './asked.ts'
import { FieldList } from './field-list.tsx'
import { isForTerminals } from './json-fields.ts'
import { falseFields, hasEveryLine, isOneChange } from './one-change.ts'

/** The changes of an edit, line by line; the raw input where they can't be read from it. */
export function EditDiff({
  approval,
  place,
}: {
  readonly approval: ListedApproval
  readonly place: CallPlace
}): ReactElement {
  const { agent, cwd } = place
  const call = useMemo(() => shownCall(partOf(approval), { agent, cwd }), [approval, agent, cwd])
  // The user must see everything they allow.
  const isHidden = useMemo(() => isForTerminals(approval.input) || !isOneChange(approval.input), [approval])
  const files = diffOf(call)
  if (isHidden || files.length === 0 || !hasEveryLine(approval.input, files))
    return <FieldList input={approval.input} shown={[]} />
  return (
    <>
      {sectionsOf(call, toolNamed(approval.tool).family, null).map((section, at) => (
        <SectionView key={at} section={section} live={false} />
      ))}
      <FieldList input={falseFields(approval.input)} shown={[]} />
    </>
  )
}
