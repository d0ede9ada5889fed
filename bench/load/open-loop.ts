import { setTimeout as sleep } from 'node:timers/promises'
import { openPath, type Path, type Store } from './paths.ts'
import { createRandom } from './random.ts'

/** Sessions whose agents write at a given pace, however fast their lines are handled. */
export interface OpenLoop extends AsyncDisposable {
  /** Lets them speak for a while; gives for each line the milliseconds from its reading to its delivery. */
  run(milliseconds: number): Promise<readonly number[]>
}

/** How wide and how fast an open loop is. */
export interface OpenLoopOptions {
  readonly sessions: number
  /** Lines per second of each session. */
  readonly pace: number
  readonly lines: readonly string[]
}

/** Opens an open loop: each session has a timer that fires after half to one and a half times the mean. */
export async function openOpenLoop(store: Store, options: OpenLoopOptions): Promise<OpenLoop> {
  let delays: number[] = []
  const speakers: Speaker[] = []
  for (let no = 0; no < options.sessions; no++)
    speakers.push(await openSpeaker(store, no, options, delay => delays.push(delay)))

  return {
    async run(milliseconds) {
      delays = []
      // One for each run: a timer of the last run that is still set must not speak in this one.
      let isOpen = true
      for (const { start } of speakers) start(() => isOpen)
      await sleep(milliseconds)
      isOpen = false
      while (speakers.some(({ underWay }) => underWay() > 0)) await sleep(5)
      return delays
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(speakers.map(({ path }) => path[Symbol.asyncDispose]()))
    },
  }
}

interface Speaker {
  readonly path: Path
  readonly start: (isOpen: () => boolean) => void
  readonly underWay: () => number
}

async function openSpeaker(
  store: Store,
  no: number,
  { sessions, pace, lines }: OpenLoopOptions,
  delivered: (delay: number) => void,
): Promise<Speaker> {
  const random = createRandom(no)
  // Lines come out in the order in which they went in.
  const readAt: number[] = []
  let next = Math.floor((no / sessions) * lines.length)
  const path = await openPath(store, no, count => {
    const now = performance.now()
    for (const at of readAt.splice(0, count)) delivered(now - at)
  })
  const pause = () => (1000 / pace) * (0.5 + random())

  return {
    path,
    underWay: () => readAt.length,
    start(isOpen) {
      // Timers round to whole milliseconds; aiming at a due time keeps the pace.
      let due = performance.now() + pause() * 2 * random()
      const speak = () => {
        if (!isOpen()) return
        const now = performance.now()
        for (; due <= now; due += pause()) {
          readAt.push(now)
          path.say([lines[next++ % lines.length] ?? ''])
        }
        setTimeout(speak, due - now)
      }
      setTimeout(speak, Math.max(0, due - performance.now()))
    },
  }
}
