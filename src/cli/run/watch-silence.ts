import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'

/** Reports when the agent writes nothing for a while. */
export interface SilenceWatch extends Disposable {
  /** Takes note of output. While a question waits for a person, or nothing runs, silence is expected. */
  update(entries: readonly Entry[]): void
}

const firstMs = 20_000
const everyMs = 60_000

/** Reports after 20 seconds without output, after a minute, and then every minute, while something runs. */
export function watchSilence(report: (sentence: string) => void, isRunning: boolean): SilenceWatch {
  let timer: NodeJS.Timeout | undefined
  let running = isRunning
  const wait = (quietMs: number, untilMs: number) => {
    timer = setTimeout(() => {
      report(`No output for ${untilMs / 1000} s.`)
      wait(untilMs, untilMs < everyMs ? everyMs : untilMs + everyMs)
    }, untilMs - quietMs)
    timer.unref()
  }
  if (running) wait(0, firstMs)
  return {
    update(entries) {
      // The agent's log is not shown while it works, so a log line does not end the silence.
      if (entries.every(({ event }) => event.type === 'agent-logged')) return
      for (const { event } of entries) running = runsAfter(event) ?? running
      clearTimeout(timer)
      if (running && !entries.some(asks)) wait(0, firstMs)
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

/** Whether something is running after an event, if the event shows it. */
function runsAfter(event: Entry['event']): boolean | undefined {
  if (event.type === 'interaction-ended') return false
  const belongs = event.type === 'agent-spoke' && event.interaction !== null
  return event.type === 'interaction-started' || belongs ? true : undefined
}

const asks = ({ event }: Entry) => chunksOf(event).some(({ chunk }) => chunk.type === 'tool-approval-request')
