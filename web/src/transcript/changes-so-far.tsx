import { lazy, Suspense, useId, type ReactElement } from 'react'
import { ChevronRight } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'
import { Loading } from '../ui/empty.tsx'
import fold from './fold.module.css'
import { useUnfolded } from './row-setting.ts'

const UnifiedDiff = lazy(async () => ({
  default: (await import('../tools/diff/unified-diff.tsx')).UnifiedDiff,
}))

/** All that a turn has changed until then, as its agent sums it up: folded, for each change stands above it. */
export function ChangesSoFar({ name, diff }: { readonly name: string; readonly diff: string }): ReactElement {
  const id = useId()
  const [open, setOpen] = useUnfolded(name, false)
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
        All changes so far
      </button>
      {open && (
        <div id={id}>
          <Suspense fallback={<Loading what="changes" />}>
            <UnifiedDiff text={diff} />
          </Suspense>
        </div>
      )}
    </div>
  )
}
