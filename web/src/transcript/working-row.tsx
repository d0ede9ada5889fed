import type { ReactElement } from 'react'
import { useLost } from '../ui/use-lost.ts'
import type { RowOf } from './row.ts'
import { useRowSetting } from './row-setting.ts'
import line from './small-line.module.css'
import { elapsed, lostWords, useNow } from './use-now.ts'
import styles from './working-row.module.css'

/** That the agent is at work, and for how long; without a connection, how long it was when that was lost. */
export function WorkingRow({ row: { since } }: { readonly row: RowOf<'working'> }): ReactElement {
  const { live } = useRowSetting()
  // In a frozen conversation no time passes.
  const start = live === null ? null : since
  const lost = useLost(live?.client ?? null)
  const now = useNow(start !== null && lost === null)
  return (
    <div className={line['line']}>
      <span className={styles['dot']} aria-hidden />
      <span>{lost === null ? workingWords(start, now) : lostWords('working', start, lost)}</span>
    </div>
  )
}

const workingWords = (start: number | null, now: number) =>
  start === null ? 'Working' : `Working · ${elapsed(start, now)}`
