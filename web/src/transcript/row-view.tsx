import { memo, type ComponentType, type CSSProperties, type ReactElement } from 'react'
import { classNames } from '../ui/class-names.ts'
import { usePart } from '../ui/use-part.ts'
import { EndingRow } from './ending-row.tsx'
import { FooterRow } from './footer-row.tsx'
import { BoundaryRow, CompactionRow, DayRow, HandoverRow } from './mark-rows.tsx'
import { NoticeRow } from './notice-row.tsx'
import { OutgoingRow } from './outgoing-row.tsx'
import { PromptRow } from './prompt-row.tsx'
import { RowBoundary } from './row-boundary.tsx'
import { isFoundIn, useRowSetting } from './row-setting.ts'
import styles from './row-view.module.css'
import type { Row, RowOf } from './row.ts'
import {
  FileRow,
  MeanwhileRow,
  PlanRow,
  PrintedRow,
  SilentRow,
  SourcesRow,
  TextRow,
  UnknownRow,
} from './small-rows.tsx'
import { StepsRow } from './steps-row.tsx'
import { SubagentRow } from './subagent-row.tsx'
import { ThinkingRow } from './thinking-row.tsx'
import { ToolRow } from './tool-row.tsx'
import { WorkingRow } from './working-row.tsx'

/** One row in its place; it renders again only when the row changes. */
export const RowView = memo(function RowView({ row }: { readonly row: Row }): ReactElement {
  const { lit } = useRowSetting()
  const { message, depth, kind } = row
  // The table has a view for each kind, which the compiler cannot follow through a name.
  const View = views[kind] as ComponentType<{ readonly row: Row }>
  const isLit = usePart(
    lit,
    now => isFoundIn(now, row.key) || (now !== null && 'message' in now && now.message === message),
  )
  return (
    <div
      className={classNames(styles['row'], depth > 0 && styles['nested'], isLit && styles['lit'])}
      style={{ '--depth': depth } as CSSProperties}
      data-kind={kind}
      data-row={row.key}
      data-message={message ?? undefined}
    >
      <RowBoundary message={message}>
        <View row={row} />
      </RowBoundary>
    </div>
  )
})

const views: { readonly [Kind in Row['kind']]: ComponentType<{ readonly row: RowOf<Kind> }> } = {
  day: DayRow,
  boundary: BoundaryRow,
  handover: HandoverRow,
  compaction: CompactionRow,
  prompt: PromptRow,
  meanwhile: MeanwhileRow,
  printed: PrintedRow,
  text: TextRow,
  thinking: ThinkingRow,
  tool: ToolRow,
  steps: StepsRow,
  subagent: SubagentRow,
  notice: NoticeRow,
  unknown: UnknownRow,
  silent: SilentRow,
  plan: PlanRow,
  sources: SourcesRow,
  file: FileRow,
  footer: FooterRow,
  ending: EndingRow,
  working: WorkingRow,
  outgoing: OutgoingRow,
}
