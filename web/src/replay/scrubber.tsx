import { useMemo, type ReactElement } from 'react'
import type { Replay } from 'dragoman/client/replay'
import { useReadable } from 'dragoman/react'
import { inertString } from '../safety/inert-text.ts'
import { classNames } from '../ui/class-names.ts'
import { inFull } from '../ui/moments.ts'
import { placeMarks } from './marks.ts'
import styles from './scrubber.module.css'

/** The track of a session from its first entry to its last, with markers. */
export function Scrubber({ replay }: { readonly replay: Replay }): ReactElement {
  const { head, wanted, view, marks } = useReadable(replay.state)
  const placed = useMemo(() => placeMarks(marks, head), [marks, head])
  const time = view.at === null ? 'Before the first entry' : inFull(view.at)
  const place = `entry ${wanted} of ${head}`
  return (
    <div className={styles['scrubber']}>
      <div className={styles['track']}>
        <div className={styles['marks']} aria-hidden>
          {placed.map(({ seq, kind, share, label }) => (
            <span
              key={`${kind} ${seq}`}
              className={classNames(styles['mark'], styles[kind])}
              style={{ left: `${share * 100}%` }}
              title={inertString(label)}
              onClick={() => replay.seek(seq)}
            />
          ))}
        </div>
        <input
          type="range"
          className={styles['range']}
          aria-label="Position in the session"
          aria-valuetext={`${time}, ${place}`}
          min={0}
          max={head}
          value={wanted}
          onChange={({ currentTarget }) => {
            replay.pause()
            replay.seek(Number(currentTarget.value))
          }}
        />
      </div>
      <p className={styles['place']}>
        <span>{time}</span>
        <Key />
        <span>{place}</span>
      </p>
    </div>
  )
}

const kinds = [
  ['prompt', 'Prompt'],
  ['approval', 'Question'],
  ['failure', 'Failure'],
] as const

/** What the signs on the track mean. */
const Key = (): ReactElement => (
  <span className={styles['key']}>
    {kinds.map(([kind, name]) => (
      <span key={kind}>
        <span className={classNames(styles['sign'], styles[kind])} aria-hidden />
        {name}
      </span>
    ))}
  </span>
)
