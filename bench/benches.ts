import { bigSession } from './big-session.ts'
import { bytesAtRest } from './bytes-at-rest.ts'
import { bytesWrittenBench } from './bytes-written.ts'
import { contextSize } from './context/size/context-size.ts'
import { cliStart } from './cli-start.ts'
import { coldReplay } from './cold-replay.ts'
import { durableThroughput } from './durable-throughput.ts'
import { durableVsFsync } from './durable-vs-fsync.ts'
import { firstChunk } from './first-chunk.ts'
import { fold } from './fold.ts'
import type { Bench } from './harness/bench.ts'
import { hostileInput } from './hostile-input.ts'
import { importBench } from './import.ts'
import { longLines } from './long-lines.ts'
import { loopDelay } from './loop-delay.ts'
import { search } from './search.ts'
import { resumeTail } from './resume-tail.ts'
import { saveFirstLatency } from './save-first-latency.ts'
import { clientSize } from './client-size.ts'
import { idleClients } from './idle-clients.ts'
import { liveResumed } from './live-resumed.ts'
import { openPage } from './open-page.ts'
import { pipe } from './pipe.ts'
import { stalledClient } from './stalled-client.ts'
import { translate } from './translate.ts'
import { vsDurableStreams } from './vs-durable-streams.ts'
import { webLoad } from './web-load.ts'
import { webMemory } from './web-memory.ts'
import { webOpen } from './web-open.ts'
import { webStream } from './web-stream.ts'
import { wideFanout } from './wide-fanout.ts'

/** All benches, in the order of the table. */
export const benches: readonly Bench[] = [
  durableThroughput,
  durableVsFsync,
  saveFirstLatency,
  bytesAtRest,
  bytesWrittenBench,
  resumeTail,
  coldReplay,
  bigSession,
  contextSize,
  translate,
  importBench,
  search,
  firstChunk,
  cliStart,
  fold,
  loopDelay,
  hostileInput,
  longLines,
  pipe,
  liveResumed,
  vsDurableStreams,
  wideFanout,
  stalledClient,
  idleClients,
  openPage,
  clientSize,
  webLoad,
  webOpen,
  webStream,
  webMemory,
]
