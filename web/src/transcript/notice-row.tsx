import { lazy, Suspense, useId, type ReactElement } from 'react'
import { CircleAlert, Info, TriangleAlert, ChevronRight } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'
import { Loading } from '../ui/empty.tsx'
import { LongWords } from '../ui/long-words.tsx'
import fold from './fold.module.css'
import styles from './notice-row.module.css'
import { useUnfolded } from './row-setting.ts'
import type { RowOf } from './row.ts'

const looks = {
  info: { Icon: Info, word: 'Note' },
  warning: { Icon: TriangleAlert, word: 'Warning' },
  error: { Icon: CircleAlert, word: 'Error' },
} as const

/** Labels for notices that are not the agent's text to the user. */
const intros: ReadonlyMap<string, string> = new Map([
  ['suggestion', 'Suggested next:'],
  ['reminder', 'Sent to the model:'],
  ['told-to-model', 'Sent to the model:'],
  ['tool-error', 'Error details:'],
])

/** File changes that an agent summarizes, of a turn or of the whole session. */
const diffs: ReadonlySet<string> = new Set(['turn-diff', 'session-diff'])

/** Trouble that did not end the answer, or a fact worth a line. */
export function NoticeRow({
  row: { key, level, code, message },
}: {
  readonly row: RowOf<'notice'>
}): ReactElement {
  if (diffs.has(code)) return <ChangesSoFar name={key} diff={message} />
  return <Words name={key} level={level} code={code} message={message} />
}

function Words({
  name,
  level,
  code,
  message,
}: Pick<RowOf<'notice'>, 'level' | 'code' | 'message'> & { readonly name: string }): ReactElement {
  const { Icon, word } = looks[level]
  const intro = intros.get(code)
  return (
    <div className={classNames(styles['notice'], styles[level])} title={code}>
      <Icon size={15} aria-label={word} className={styles['icon']} />
      <div className={styles['words']}>
        {intro !== undefined && <strong>{intro} </strong>}
        <LongWords text={message} unfolding={useUnfolded(name, false)} />
      </div>
    </div>
  )
}

const UnifiedDiff = lazy(async () => ({
  default: (await import('../tools/diff/unified-diff.tsx')).UnifiedDiff,
}))

/** All changes of a turn so far, as reported by its agent: collapsed, since each change is shown above. */
function ChangesSoFar({ name, diff }: { readonly name: string; readonly diff: string }): ReactElement {
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
