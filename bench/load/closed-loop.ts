import { openPath, type Path, type Store } from './paths.ts'

/** Sessions whose agents always have another line ready. */
export interface ClosedLoop extends AsyncDisposable {
  /** Lets them speak for a while; gives the lines delivered and the milliseconds until the last one was. */
  run(milliseconds: number): Promise<{ readonly lines: number; readonly elapsed: number }>
}

/** How wide a closed loop is. */
export interface ClosedLoopOptions {
  readonly sessions: number
  /** The most lines of a session in flight: as many as a pipe holds. */
  readonly inFlight: number
  readonly lines: readonly string[]
}

/**
 * Opens a closed loop. Each session has a turn of the event loop to itself, as a pipe that became readable has,
 * and writes as many lines as were delivered since.
 */
export async function openClosedLoop(store: Store, options: ClosedLoopOptions): Promise<ClosedLoop> {
  const { sessions, inFlight, lines } = options
  let isOpen = false
  let delivered = 0
  let underWay = 0
  let drained = Promise.withResolvers<void>()
  const paths: Path[] = []
  const turns: (() => void)[] = []

  for (let no = 0; no < sessions; no++) {
    let room = inFlight
    let next = Math.floor((no / sessions) * lines.length)
    let isScheduled = false
    const turn = () => {
      isScheduled = false
      if (!isOpen || room === 0) return
      const said = Array.from({ length: room }, () => lines[next++ % lines.length] ?? '')
      underWay += room
      room = 0
      paths[no]?.say(said)
    }
    const schedule = () => {
      if (!isScheduled) setImmediate(turn)
      isScheduled = true
    }
    turns.push(schedule)
    paths.push(
      await openPath(store, no, count => {
        delivered += count
        underWay -= count
        room += count
        if (isOpen) schedule()
        else if (underWay === 0) drained.resolve()
      }),
    )
  }

  return {
    async run(milliseconds) {
      drained = Promise.withResolvers()
      delivered = 0
      isOpen = true
      const begin = performance.now()
      for (const schedule of turns) schedule()
      setTimeout(() => {
        isOpen = false
        if (underWay === 0) drained.resolve()
      }, milliseconds)
      await drained.promise
      return { lines: delivered, elapsed: performance.now() - begin }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(paths.map(path => path[Symbol.asyncDispose]()))
    },
  }
}
