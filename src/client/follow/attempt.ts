import type { Timing } from '../timing.ts'
import type { OpenSource, Source, SourceEvents } from './source.ts'

/** One source from its opening to its end, watched over: it must open in time, and must not fall silent. */
export interface Attempt {
  readonly source: Source
  /** Ends it; calls `closed` unless it ended before. */
  end(reason: unknown): void
}

/** What becomes of an attempt. `closed` comes once, and nothing after it. */
export interface AttemptEvents extends Omit<SourceEvents, 'alive'> {
  /** Called every now and then while it is open. */
  beat(): void
}

interface Life {
  opened: boolean
  over: boolean
  /** When something came last; before anything did, when it was begun. */
  heard: number
  /** How often a sign of life was asked for since then. */
  asked: number
}

/** Opens a source and watches over it. */
export function beginAttempt(
  open: OpenSource,
  timing: Timing,
  now: () => number,
  events: AttemptEvents,
): Attempt {
  const life: Life = { opened: false, over: false, heard: now(), asked: 0 }
  const hear = () => Object.assign(life, { heard: now(), asked: 0 })
  const end = (reason: unknown) => {
    if (life.over) return
    life.over = true
    clearInterval(beats)
    source.close()
    events.closed(reason)
  }
  const source = open({
    opened() {
      if (life.over || life.opened) return
      life.opened = true
      hear()
      events.opened()
    },
    frame(frame) {
      if (life.over) return
      hear()
      events.frame(frame)
    },
    alive: hear,
    closed: end,
  })
  const beats = setInterval(() => {
    const silence = now() - life.heard
    // Counts checks, not only time: a sleeping tab makes no checks, and nothing is wrong then.
    const isLost = life.opened ? life.asked > mostAsked : silence > timing.openMs
    if (isLost) return end(new Error('The server does not answer.'))
    if (!life.opened) return
    if (silence >= timing.pingMs) {
      life.asked += 1
      source.ping()
    }
    events.beat()
  }, timing.beatMs)
  return { source, end }
}

/** With a look every five seconds a way counts as cut after 40 to 45 seconds of silence. */
const mostAsked = 4
