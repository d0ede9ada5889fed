import type { ReactElement } from 'react'
import { ChevronFirst, ChevronLast, Pause, Play, StepBack, StepForward } from 'lucide-react'
import type { Replay } from 'dragoman/client/replay'
import { useReadable } from 'dragoman/react'
import { IconButton } from '../ui/button.tsx'
import { goToMark } from './marks.ts'
import styles from './replay-controls.module.css'
import { Scrubber } from './scrubber.tsx'

const speeds = [0.5, 1, 2, 4, 8, 16]

/** The controls of a replay. */
export function ReplayControls({ replay }: { readonly replay: Replay }): ReactElement {
  const { playing, speed, skipsPauses } = useReadable(replay.state)
  return (
    <section className={styles['controls']} aria-label="Replay">
      <Scrubber replay={replay} />
      <div className={styles['row']}>
        <IconButton label="Previous marker" onClick={() => goToMark(replay, -1)}>
          <ChevronFirst size={18} aria-hidden />
        </IconButton>
        <IconButton label="Previous entry" onClick={() => replay.step(-1)}>
          <StepBack size={18} aria-hidden />
        </IconButton>
        <IconButton
          label={playing ? 'Pause' : 'Play'}
          className={styles['play']}
          onClick={playing ? replay.pause : replay.play}
        >
          {playing ? <Pause size={20} aria-hidden /> : <Play size={20} aria-hidden />}
        </IconButton>
        <IconButton label="Next entry" onClick={() => replay.step(1)}>
          <StepForward size={18} aria-hidden />
        </IconButton>
        <IconButton label="Next marker" onClick={() => goToMark(replay, 1)}>
          <ChevronLast size={18} aria-hidden />
        </IconButton>
        <label className={styles['choice']}>
          Speed
          <select
            value={speed}
            onChange={({ currentTarget }) => replay.setPace({ speed: Number(currentTarget.value) })}
          >
            {speeds.map(each => (
              <option key={each} value={each}>{`${each}×`}</option>
            ))}
          </select>
        </label>
        <label className={styles['choice']}>
          <input
            type="checkbox"
            checked={skipsPauses}
            onChange={({ currentTarget }) => replay.setPace({ skipsPauses: currentTarget.checked })}
          />
          Skip pauses
        </label>
      </div>
    </section>
  )
}
