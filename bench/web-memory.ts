import type { CDPSession } from 'playwright-core'
import { transcript } from '../e2e/web/app/steps.ts'
import type { Bench } from './harness/bench.ts'
import { openStage } from './web/stage.ts'
import { rate, startTalking } from './web/streaming.ts'

/** Whether the memory of a page grows with the streamed text. */
export const webMemory: Bench = {
  name: 'web-memory',
  what: `memory of a page after a stream of ${rate} chunks a second`,
  beside: 'the same page after a quarter of that time',
  how: 'The memory of the page’s scripts after garbage collection, and the number of DOM nodes, after a quarter of the time and at the end (`--seconds 600` for ten minutes). The conversation itself is included.',
  seconds: 60,
  async run({ seconds }) {
    await using stage = await openStage()
    const [session = ''] = await startTalking(stage.room, 1, seconds + 10)
    const page = await stage.room.open(`/s/${session}`)
    await transcript(page).getByText(/\w/).first().waitFor()
    const tools = await page.context().newCDPSession(page)
    await page.waitForTimeout(seconds * 250)
    const early = await heldBy(tools)
    await page.waitForTimeout(seconds * 750)
    const late = await heldBy(tools)
    const size = ({ heap, nodes }: Held) => `${(heap / 1e6).toFixed(1)} MB, ${nodes} nodes`
    return [
      {
        ours: size(late),
        peer: size(early),
        ratio: late.heap / early.heap,
        goal: { kind: 'at-most', ratio: 1.25 },
        note: `after ${seconds} s and ${seconds / 4} s; most of the growth is code that the browser compiled in the meantime`,
      },
    ]
  },
}

interface Held {
  readonly heap: number
  readonly nodes: number
}

async function heldBy(tools: CDPSession): Promise<Held> {
  await tools.send('HeapProfiler.collectGarbage')
  await tools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await tools.send('Runtime.getHeapUsage')
  const { nodes } = await tools.send('Memory.getDOMCounters')
  return { heap: usedSize, nodes }
}
