import type { Measured } from './harness/bench.ts'
import { interleave, ratioOf } from './harness/interleave.ts'
import { perSecond } from './harness/numbers.ts'
import { workLeft } from './harness/quiet.ts'
import { median } from './harness/statistics.ts'
import { openClosedLoop } from './load/closed-loop.ts'
import { createNativeLines } from './load/native-lines.ts'
import type { Store } from './load/paths.ts'

const rounds = 10
const lines = createNativeLines(4096)

/** Lines per second through our store, beside another one, in slices that take turns. */
export async function compareThroughput(
  ours: Store,
  peer: Store,
  seconds: number,
): Promise<Omit<Measured, 'goal'>> {
  const options = { sessions: 100, inFlight: 16, lines }
  await using ourLoop = await openClosedLoop(ours, options)
  await using peerLoop = await openClosedLoop(peer, options)
  const length = (seconds * 1000) / (rounds + 1) / 2
  const slice = (loop: typeof ourLoop) => async () => {
    const { lines: count, elapsed } = await loop.run(length)
    return (count / (elapsed + (await workLeft()))) * 1000
  }
  const [own = [], others = []] = await interleave(rounds, [slice(ourLoop), slice(peerLoop)])
  return {
    ours: perSecond(median(own)),
    peer: perSecond(median(others)),
    ...ratioOf(own, others),
  }
}
