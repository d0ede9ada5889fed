import type { ReactElement } from 'react'
import type { RowOf } from './row.ts'
import { useRowSetting } from './row-setting.ts'
import line from './small-line.module.css'
import { elapsed, useNow } from './use-now.ts'
import styles from './working-row.module.css'

/** That the agent is at work, or waits until it can begin, and for how long. */
export function WorkingRow({ row: { since, places } }: { readonly row: RowOf<'working'> }): ReactElement {
  // In a frozen conversation no time passes.
  const start = useRowSetting().live === null ? null : since
  const now = useNow(start !== null)
  const time = start === null ? '' : ` · ${elapsed(start, now)}`
  return (
    <div className={line['line']}>
      <span className={styles['dot']} aria-hidden />
      <span>{`${places === null ? 'Working' : 'Waiting for a free place'}${time}`}</span>
      {places !== null && (
        <span>{`${places === 1 ? 'One agent is' : `${places} agents are`} at work, and no more can be at once. This begins when one is done: answer or stop one to make room.`}</span>
      )}
    </div>
  )
}
