import { createRests, type Leave } from './rests.ts'

/** How many agents may run at once, and how long one may do nothing. */
export interface PlaceLimits {
  readonly places: number
  readonly idleMs: number
}

/** The places for running agents: first come, first served. */
export interface Places {
  /** Waits for a place; an abort gives up the wait and throws the signal's reason. */
  take(signal: AbortSignal): Promise<Place>
}

/** The right to run one agent, until it is disposed of. */
export interface Place extends Disposable {
  /** The agent has work: it is not asked to leave. */
  work(): void
  /** The agent does nothing. It is asked to leave at once when others wait, and after a while in any case. */
  rest(leave: Leave): void
  /** Nothing is asked of the agent, but it is busy in the background: it is asked to leave only after a while. */
  linger(leave: Leave): void
}

/** Keeps the places. Who has gone through an interaction while others wait, queues again behind them. */
export function createPlaces({ places, idleMs }: PlaceLimits): Places {
  const waiting = new Set<() => void>()
  const rests = createRests<Place>(idleMs)
  let taken = 0

  const createPlace = (): Place => {
    let held = true
    taken += 1
    const place: Place = {
      work: () => rests.end(place),
      rest(leave) {
        rests.begin(place, leave, true)
        if (waiting.size > 0) rests.makeRoom()
      },
      linger: leave => rests.begin(place, leave, false),
      [Symbol.dispose]() {
        rests.end(place)
        if (!held) return
        held = false
        taken -= 1
        const [next] = waiting
        next?.()
      },
    }
    return place
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (taken < places) return createPlace()
      return queueUp(waiting, createPlace, () => rests.makeRoom(), signal)
    },
  }
}

function queueUp(
  waiting: Set<() => void>,
  createPlace: () => Place,
  makeRoom: () => void,
  signal: AbortSignal,
): Promise<Place> {
  const turn = Promise.withResolvers<Place>()
  const enter = () => {
    waiting.delete(enter)
    turn.resolve(createPlace())
  }
  const giveUp = () => {
    if (waiting.delete(enter)) turn.reject(signal.reason as Error)
  }
  waiting.add(enter)
  signal.addEventListener('abort', giveUp, { once: true })
  makeRoom()
  return turn.promise.finally(() => signal.removeEventListener('abort', giveUp))
}
