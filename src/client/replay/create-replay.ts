import type { Entry } from '../../protocol/entry.ts'
import type { Client } from '../create-client.ts'
import { createWritable, select, type Readable } from '../readable.ts'
import { createEntryPages, type EntryPages } from './entry-pages.ts'
import { readMarks, type ReplayMark } from './marks.ts'
import type { Pace } from './playback.ts'
import { createPlayer } from './player.ts'
import type { ReplayView } from './replay-fold.ts'
import { createTimeMachine } from './time-machine.ts'
import { createTraveller } from './traveller.ts'

/** A replay at one moment. */
export interface ReplayState extends Pace {
  /** How many entries there are; a session that runs grows. */
  readonly head: number
  /** The entry that was asked for; `view` is there when it has it. */
  readonly wanted: number
  readonly playing: boolean
  readonly view: ReplayView
  readonly marks: readonly ReplayMark[]
  /** Why something could not be read; null when all is well. */
  readonly problem: string | null
}

/** A session at any moment of its past. Nothing is requested until the first subscription. */
export interface Replay {
  readonly state: Readable<ReplayState>
  /** What the session showed. */
  readonly view: Readable<ReplayView>
  /** Goes to an entry; the last wish counts. */
  readonly seek: (seq: number) => void
  /** Goes to the last entry that was saved by a moment. */
  readonly seekTime: (at: number) => Promise<void>
  /** Some entries on or back. Playing stops. */
  readonly step: (by: number) => void
  /** Plays in the session's own time; at the end, starts over. */
  readonly play: () => void
  readonly pause: () => void
  readonly setPace: (pace: Partial<Pace>) => void
}

/** What is needed of a client. */
export type ReplayClient = Pick<Client, 'call' | 'follow' | 'surroundings'>

const beginning: Omit<ReplayState, 'view'> = {
  head: 0,
  wanted: 0,
  playing: false,
  speed: 1,
  skipsPauses: true,
  marks: [],
  problem: null,
}

/** The replay of a session, from its journal. */
export function createReplay(client: ReplayClient, session: string): Replay {
  const pages = createEntryPages(client, session)
  const machine = createTimeMachine(pages)
  const { now, timing } = client.surroundings
  let leaving = new AbortController()
  const state = createWritable<ReplayState>(
    { ...beginning, view: machine.view() },
    {
      lingerMs: timing.lingerMs,
      came() {
        leaving = new AbortController()
        open(client, session, pages, leaving.signal, change).catch(fail)
      },
      left() {
        pause()
        leaving.abort()
        traveller.stop()
      },
    },
  )
  const change = (news: Partial<ReplayState>) => state.set({ ...state.get(), ...news })
  const fail = (error: unknown) => {
    if (!leaving.signal.aborted) change({ problem: error instanceof Error ? error.message : String(error) })
  }
  const traveller = createTraveller(machine, view => change({ view, problem: null }), fail)
  const entryAt = (seq: number) => pages.at(seq, leaving.signal)
  const goTo = (seq: number) => {
    const wanted = Math.min(Math.max(0, Math.round(seq)), state.get().head)
    change({ wanted })
    traveller.goTo(wanted)
  }
  const ended = (error?: unknown) => {
    pause()
    if (error !== undefined) fail(error)
  }
  const player = createPlayer({ now, pace: state.get, here: () => state.get().wanted, entryAt, goTo, ended })
  const pause = () => {
    player.stop()
    if (state.get().playing) change({ playing: false })
  }
  const seek = (seq: number) => {
    player.moved()
    goTo(seq)
  }
  return {
    state,
    view: select(state, ({ view }) => view),
    seek,
    seekTime: at => findMoment(at, pages.head(), entryAt).then(seek, fail),
    step(by) {
      pause()
      seek(state.get().wanted + by)
    },
    play() {
      const { wanted, head } = state.get()
      if (wanted >= head) seek(0)
      change({ playing: true })
      player.start()
    },
    pause,
    setPace: change,
  }
}

/** Loads the length of the session and its marks, then follows new entries. */
async function open(
  client: ReplayClient,
  session: string,
  pages: EntryPages,
  signal: AbortSignal,
  change: (news: Partial<ReplayState>) => void,
): Promise<void> {
  await pages.at(1, signal)
  change({ head: pages.head() })
  const following = client.follow(session, pages.head(), {
    entries(entries) {
      pages.grown(entries.at(-1)?.seq ?? 0)
      change({ head: pages.head() })
    },
    reset: () => change({ problem: 'The session changed on the server. Reload this page.' }),
    gone: problem => change({ problem }),
  })
  signal.addEventListener('abort', () => following.stop())
  change({ marks: await readMarks(client, session, signal) })
}

/** The last entry that was saved by a moment, found by a binary search; 0 when all came later. */
async function findMoment(
  at: number,
  head: number,
  entryAt: (seq: number) => Promise<Entry | undefined>,
): Promise<number> {
  let [before, after] = [0, head + 1]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    const entry = await entryAt(middle)
    if (entry !== undefined && entry.at <= at) before = middle
    else after = middle
  }
  return before
}
