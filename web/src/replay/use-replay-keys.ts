import type { Replay } from 'dragoman/client/replay'
import { useCommands } from '../keyboard/command.ts'
import { keyed } from '../keyboard/key-table.ts'
import { goToMark } from './marks.ts'

/** What has keys of its own keeps them: buttons are pressed with the space bar, choices go by the arrows. */
const isFree = () => document.activeElement?.closest('button, a, summary, input, select, [role=tab]') == null

/** The keys of a replay. */
export function useReplayKeys(replay: Replay): void {
  const command = (id: 'play' | 'next' | 'previous' | 'next-mark' | 'previous-mark', run: () => void) => ({
    ...keyed(`replay-${id}`),
    run,
    when: isFree,
  })
  useCommands([
    command('play', () => (replay.state.get().playing ? replay.pause() : replay.play())),
    command('next', () => replay.step(1)),
    command('previous', () => replay.step(-1)),
    command('next-mark', () => goToMark(replay, 1)),
    command('previous-mark', () => goToMark(replay, -1)),
  ])
}
