import type { SlotLimits } from '../limits.ts'

/** The slots for running agents: first come, first served. */
export interface AgentSlots {
  /** Waits for a slot. An abort cancels the wait and throws the signal's reason. */
  take(signal: AbortSignal): Promise<AgentSlot>
}

/** The right to run one agent, until it is disposed of. */
export interface AgentSlot extends Disposable {
  /** The agent works: it is not asked to leave. */
  work(): void
  /** The agent is idle. It is asked to leave at once when others wait, else after the idle time. */
  rest(leave: Leave): void
  /** The agent is busy only in the background: it is asked to leave after the idle time, also when others wait. */
  linger(leave: Leave): void
}

/** Asks the agent in a slot to leave, with the reason. */
type Leave = (reason: string) => void

/** Creates the slots. An agent that finishes an interaction while others wait makes room for them. */
export function createAgentSlots({ places, idleMs }: SlotLimits): AgentSlots {
  const waiting = new Set<() => void>()
  const rests = createRests(idleMs)
  let taken = 0

  const createSlot = (): AgentSlot => {
    let held = true
    taken += 1
    const slot: AgentSlot = {
      work: () => rests.end(slot),
      rest(leave) {
        rests.begin(slot, leave, true)
        if (waiting.size > 0) rests.makeRoom()
      },
      linger: leave => rests.begin(slot, leave, false),
      [Symbol.dispose]() {
        rests.end(slot)
        if (!held) return
        held = false
        taken -= 1
        const [next] = waiting
        next?.()
      },
    }
    return slot
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

interface Rest {
  readonly leave: Leave
  /** Whether it may be cut short for others. */
  readonly yields: boolean
  readonly timer: NodeJS.Timeout
}

/** A timer with a longer time would fire at once. */
const longestTimer = 2 ** 31 - 1

/** The slots whose agents are idle, the longest idle first. */
function createRests(idleMs: number) {
  const rests = new Map<AgentSlot, Rest>()

  const end = (slot: AgentSlot) => {
    clearTimeout(rests.get(slot)?.timer)
    rests.delete(slot)
  }
  const ask = (slot: AgentSlot, reason: string) => {
    const rest = rests.get(slot)
    end(slot)
    rest?.leave(reason)
  }

  return {
    end,
    begin(slot: AgentSlot, leave: Leave, yields: boolean) {
      end(slot)
      const timer = setTimeout(ask, Math.min(idleMs, longestTimer), slot, 'Closed because it was idle.')
      timer.unref()
      rests.set(slot, { leave, yields, timer })
    },
    makeRoom() {
      for (const [slot, { yields }] of rests)
        if (yields) return ask(slot, 'Closed to make room for another session.')
    },
  }
}
