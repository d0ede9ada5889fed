import { useId, type ReactElement } from 'react'
import { ChevronRight } from 'lucide-react'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import fold from './fold.module.css'
import { PlanList } from './plan-list.tsx'
import { planLine } from './plan-words.ts'
import { useUnfolded } from './row-setting.ts'
import type { RowOf } from './row.ts'

/** The plan of a subagent; that of the conversation is pinned. */
export function PlanRow({ row: { key, todos } }: { readonly row: RowOf<'plan'> }): ReactElement {
  const id = useId()
  const [open, setOpen] = useUnfolded(key, false)
  return (
    <div>
      <button
        type="button"
        className={fold['fold']}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={14} aria-hidden className={classNames(fold['chevron'], open && fold['open'])} />
        <InertText text={`Plan: ${planLine(todos)}`} />
      </button>
      <div id={id}>{open && <PlanList todos={todos} />}</div>
    </div>
  )
}
