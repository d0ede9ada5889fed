import type { ReactElement } from 'react'
import { short } from '../ui/amounts.ts'
import { classNames } from '../ui/class-names.ts'
import { duration } from '../ui/moments.ts'
import type { WorkTotals as Totals } from './arrange.ts'
import styles from './work-totals.module.css'

/** Totals of all work. */
export const WorkTotals = ({
  totals: { calls, running, failures, files, milliseconds },
  isPart,
}: {
  readonly totals: Totals
  readonly isPart: boolean
}): ReactElement => (
  <dl className={styles['totals']} aria-label={isPart ? 'Totals of shown calls' : 'Totals'}>
    <Total term={calls === 1 ? 'call' : 'calls'}>{short(calls)}</Total>
    {running > 0 && (
      <Total term="running" tone="live">
        {String(running)}
      </Total>
    )}
    <Total term="failed" tone={failures > 0 ? 'bad' : undefined}>
      {short(failures)}
    </Total>
    <Total term={files === 1 ? 'file changed' : 'files changed'}>{short(files)}</Total>
    {milliseconds > 0 && <Total term="tool time">{duration(milliseconds)}</Total>}
  </dl>
)

const Total = ({
  term,
  tone,
  children,
}: {
  readonly term: string
  readonly tone?: 'bad' | 'live' | undefined
  readonly children: string
}) => (
  <div>
    <dt>{term}</dt>
    <dd className={classNames(tone && styles[tone])}>{children}</dd>
  </div>
)
