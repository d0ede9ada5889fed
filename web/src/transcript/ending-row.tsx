import type { ReactElement } from 'react'
import { CircleStop, OctagonX } from 'lucide-react'
import { LongWords } from '../ui/long-words.tsx'
import notice from './notice-row.module.css'
import { useUnfolded } from './row-setting.ts'
import type { RowOf } from './row.ts'
import line from './small-line.module.css'

/** How an interaction ended when it did not simply finish, in plain words. */
export function EndingRow({
  row: { key, outcome, reason },
}: {
  readonly row: RowOf<'ending'>
}): ReactElement {
  const unfolding = useUnfolded(key, false)
  if (outcome === 'interrupted')
    return (
      <div className={line['line']}>
        <CircleStop size={14} aria-hidden />
        <span>
          {/* Most reasons say it themselves. */}
          {reason?.startsWith('Stopped') !== true && 'Stopped. '}
          {reason !== null && <LongWords text={reason} unfolding={unfolding} />}
        </span>
      </div>
    )
  return (
    <div className={`${notice['notice']} ${notice['error']}`}>
      <OctagonX size={15} aria-hidden className={notice['icon']} />
      <div className={notice['words']}>
        <strong>{'This failed. '}</strong>
        <LongWords
          text={reason ?? 'The agent did not say why. Its own words may tell: look at Raw.'}
          unfolding={unfolding}
        />
      </div>
    </div>
  )
}
