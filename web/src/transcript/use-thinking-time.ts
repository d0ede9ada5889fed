import { useEffect } from 'react'
import { useReadable } from 'dragoman/react'
import type { LiveSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'
import { thoughtKey, type ThinkingTime } from './thinking-times.ts'

/** What begins now is measured here within this time; and nobody asks about what is only scrolled by. */
const patience = 500

/** When something was thought: as it was measured here, or else as the server has it, which is asked when somebody looks. */
export function useThinkingTime(
  { session, room: { times, book } }: LiveSetting,
  { thread, message, thought }: RowOf<'thinking'>,
): ThinkingTime | null {
  const time = useReadable(times.known).get(thoughtKey({ thread, message, thought })) ?? null
  const isUnknown = time === null
  useEffect(() => {
    if (!isUnknown || message === null) return
    const ask = () => {
      const shown = session.state.get().view.messages.get(thread)
      const here = shown?.find(each => each.message.id === message)
      const interaction = (here ?? book.get().homes.get(message))?.interaction
      if (interaction) times.ask(interaction)
    }
    const timer = setTimeout(ask, patience)
    return () => clearTimeout(timer)
  }, [isUnknown, thread, message, session, book, times])
  return time
}
