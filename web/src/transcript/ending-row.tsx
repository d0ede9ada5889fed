import type { ReactElement } from 'react'
import { CircleStop, OctagonX } from 'lucide-react'
import { LongWords } from '../ui/long-words.tsx'
import notice from './notice-row.module.css'
import { useUnfolded } from './row-setting.ts'
import type { RowOf } from './row.ts'
import line from './small-line.module.css'

const stoppedByYou = 'You stopped this.'
/** The reason in older sessions. */
const stoppedByYouBefore = 'Stopped because someone asked for it.'

/** How an interaction ended when it did not simply finish. */
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
          {/* Most reasons already say that it was stopped. */}
          {reason !== stoppedByYou && reason?.startsWith('Stopped') !== true && 'Stopped. '}
          {reason !== null && (
            <LongWords text={reason === stoppedByYouBefore ? stoppedByYou : reason} unfolding={unfolding} />
          )}
        </span>
      </div>
    )
  return (
    <div className={`${notice['notice']} ${notice['error']}`}>
      <OctagonX size={15} aria-hidden className={notice['icon']} />
      <div className={notice['words']}>
        <strong>{'Failed. '}</strong>
        <LongWords
          text={reason ?? 'The agent gave no reason. See the raw output for details.'}
          unfolding={unfolding}
        />
      </div>
    </div>
  )
}
