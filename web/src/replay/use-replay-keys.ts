import type { Replay } from 'dragoman/client/replay'
import { useCommands } from '../commands/command.ts'
import { goToMark } from './marks.ts'

/** What has keys of its own keeps them: buttons are pressed with the space bar, choices go by the arrows. */
const isFree = () => document.activeElement?.closest('button, a, summary, input, select, [role=tab]') == null

/** The keys of a replay. */
export function useReplayKeys(replay: Replay): void {
  const command = (id: string, title: string, keys: string, run: () => void) => ({
    id: `replay-${id}`,
    title,
    keys,
    run,
    when: isFree,
    group: 'Replay',
  })
  useCommands([
    command('play', 'Play or pause', 'space', () =>
      replay.state.get().playing ? replay.pause() : replay.play(),
    ),
    command('next', 'One entry on', 'right', () => replay.step(1)),
    command('previous', 'One entry back', 'left', () => replay.step(-1)),
    command('next-mark', 'To the next mark', 'shift+right', () => goToMark(replay, 1)),
    command('previous-mark', 'To the mark before', 'shift+left', () => goToMark(replay, -1)),
  ])
}
