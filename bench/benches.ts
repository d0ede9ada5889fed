import { bytesAtRest } from './bytes-at-rest.ts'
import { bytesWrittenBench } from './bytes-written.ts'
import { durableThroughput } from './durable-throughput.ts'
import { durableVsFsync } from './durable-vs-fsync.ts'
import type { Bench } from './harness/bench.ts'
import { loopDelay } from './loop-delay.ts'
import { saveFirstLatency } from './save-first-latency.ts'

/** All benches, in the order of the table. */
export const benches: readonly Bench[] = [
  durableThroughput,
  durableVsFsync,
  saveFirstLatency,
  bytesAtRest,
  bytesWrittenBench,
  loopDelay,
]
