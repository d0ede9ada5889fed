import { useId, useEffect, type ReactElement } from 'react'
import { ChevronRight } from 'lucide-react'
import { useReadable } from 'dragoman/react'
import { Markdown } from '../markdown/markdown.tsx'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import { duration } from '../ui/moments.ts'
import { useLost } from '../ui/use-lost.ts'
import fold from './fold.module.css'
import { useRowSetting, useUnfolded, type LiveSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'
import styles from './thinking-row.module.css'
import { thoughtKey, type ThinkingTime } from './thinking-times.ts'
import { elapsed, lostWords, useNow } from './use-now.ts'

/** Shorter times are not shown. */
const least = 100

/** Thinking: collapsed, with its duration; the last lines show while the agent thinks. */
export function ThinkingRow({ row }: { readonly row: RowOf<'thinking'> }): ReactElement {
  const { key, text, streaming } = row
  const id = useId()
  const [open, setOpen] = useUnfolded(key, false)
  const hasWords = text.trim() !== ''
  return (
    <div role="group" aria-label="Thinking">
      <button
        type="button"
        className={classNames(fold['fold'], styles['title'], streaming && fold['live'])}
        aria-expanded={open}
        aria-controls={id}
        disabled={!hasWords}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={14} aria-hidden className={classNames(fold['chevron'], open && fold['open'])} />
        <span className={styles['took']}>
          <ThinkingTitle row={row} />
        </span>{' '}
        {!open && !streaming && (
          <span className={styles['preview']}>
            <InertText text={previewOf(text)} />
          </span>
        )}
      </button>
      {open && hasWords && (
        <div id={id} className={styles['words']}>
          <Markdown text={text} streaming={streaming} />
        </div>
      )}
      {!open && streaming && hasWords && (
        <div className={styles['tail']} aria-hidden>
          <p>
            <InertText text={text.slice(-600)} />
          </p>
        </div>
      )}
    </div>
  )
}

const longest = 200

/** The beginning of a thought in one line, without its Markdown signs. */
const previewOf = (text: string): string =>
  text
    .slice(0, 2 * longest)
    .replaceAll(/[#*`>]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest)

function ThinkingTitle({ row }: { readonly row: RowOf<'thinking'> }): ReactElement {
  const { live } = useRowSetting()
  return live === null ? <>{wordsFor(row.streaming, null)}</> : <TimedTitle row={row} live={live} />
}

function TimedTitle({ row, live }: { readonly row: RowOf<'thinking'>; readonly live: LiveSetting }) {
  const { streaming } = row
  const time = useThinkingTime(live, row)
  const lost = useLost(live.client)
  const now = useNow(streaming && time !== null && lost === null)
  if (streaming && lost !== null) return <>{lostWords('thinking', time?.from ?? null, lost)}</>
  if (streaming && time !== null) return <>{`Thinking… ${elapsed(time.from, now)}`}</>
  return <>{wordsFor(streaming, time)}</>
}

function wordsFor(streaming: boolean, time: ThinkingTime | null): string {
  if (streaming) return 'Thinking…'
  const took = time === null || time.to === null ? 0 : time.to - time.from
  return took < least ? 'Thought' : `Thought for ${duration(took)}`
}

/** Within this time after its start it is measured here; scrolling past never sends a request. */
const patience = 500

/** The time of a thought: measured here, or else loaded from the server when the row is visible. */
function useThinkingTime(
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
