import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from '../metrics/metrics.ts'

/** Watches how long the process keeps others waiting, until disposed of. */
export function measureLoop({ registry }: Metrics): Disposable {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  registry.measure(
    'event_loop_lag',
    'Delay of the event loop in seconds, 99th percentile since the last read.',
    () => {
      const seconds = delays.percentile(99) / 1e9
      delays.reset()
      return seconds
    },
  )
  return { [Symbol.dispose]: () => void delays.disable() }
}
