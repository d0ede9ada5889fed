import type { ReactElement } from 'react'
import type { RowOf } from './row.ts'
import { useRowSetting } from './row-setting.ts'
import line from './small-line.module.css'
import { elapsed, useNow } from './use-now.ts'
import styles from './working-row.module.css'

/** That the agent is at work, and for how long. */
export function WorkingRow({ row: { since } }: { readonly row: RowOf<'working'> }): ReactElement {
  // In a frozen conversation no time passes.
  const start = useRowSetting().live === null ? null : since
  const now = useNow(start !== null)
  const time = start === null ? '' : ` · ${elapsed(start, now)}`
  return (
    <div className={line['line']}>
      <span className={styles['dot']} aria-hidden />
      <span>{`Working${time}`}</span>
    </div>
  )
}
