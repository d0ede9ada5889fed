import type { SlotLimits } from '../limits.ts'
import { createRests, type Leave } from './rests.ts'

/** The places for running agents: first come, first served. */
export interface AgentSlots {
  /** Waits for a place; an abort gives up the wait and throws the signal's reason. */
  take(signal: AbortSignal): Promise<AgentSlot>
}

/** The right to run one agent, until it is disposed of. */
export interface AgentSlot extends Disposable {
  /** The agent has work: it is not asked to leave. */
  work(): void
  /** The agent does nothing. It is asked to leave at once when others wait, and after a while in any case. */
  rest(leave: Leave): void
  /** Nothing is asked of the agent, but it is busy in the background: it is asked to leave only after a while. */
  linger(leave: Leave): void
}

/** Keeps the places. Who has gone through an interaction while others wait, queues again behind them. */
export function createAgentSlots({ places, idleMs }: SlotLimits): AgentSlots {
  const waiting = new Set<() => void>()
  const rests = createRests<AgentSlot>(idleMs)
  let taken = 0

  const createSlot = (): AgentSlot => {
    let held = true
    taken += 1
    const place: AgentSlot = {
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
      if (taken < places) return createSlot()
      return queueUp(waiting, createSlot, () => rests.makeRoom(), signal)
    },
  }
}

function queueUp(
  waiting: Set<() => void>,
  createSlot: () => AgentSlot,
  makeRoom: () => void,
  signal: AbortSignal,
): Promise<AgentSlot> {
  const turn = Promise.withResolvers<AgentSlot>()
  const enter = () => {
    waiting.delete(enter)
    turn.resolve(createSlot())
  }
  const giveUp = () => {
    if (waiting.delete(enter)) turn.reject(signal.reason as Error)
  }
  waiting.add(enter)
  signal.addEventListener('abort', giveUp, { once: true })
  makeRoom()
  return turn.promise.finally(() => signal.removeEventListener('abort', giveUp))
}
