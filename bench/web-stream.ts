import type { Page } from 'playwright-core'
import { transcript } from '../e2e/web/app/steps.ts'
import type { Bench } from './harness/bench.ts'
import { milliseconds } from './harness/numbers.ts'
import { longestWork } from './web/longest-work.ts'
import { openStage } from './web/stage.ts'
import { rate, startTalking } from './web/streaming.ts'

const sessions = 5
const longest = 50

/** Whether a page stays smooth while much is streamed. */
export const webStream: Bench = {
  name: 'web-stream',
  what: `a page shows one of ${sessions} sessions that stream ${rate} chunks a second each`,
  beside: `${longest} ms for a frame; one row for a frame`,
  how: 'The scripted agent writes a word every 10 ms in each session. The longest frame is the longest task of the page’s main thread, by the clock and by processor time (Chromium trace). Rows: how many rows of the transcript change in a frame, counting only frames with a change.',
  seconds: 20,
  async run({ seconds }) {
    await using stage = await openStage()
    const [first = ''] = await startTalking(stage.room, sessions, seconds + 10)
    const page = await stage.room.open(`/s/${first}`)
    await transcript(page).getByText(/\w/).first().waitFor()
    await page.waitForTimeout(3000)
    const work = await longestWork(stage.browser, page, () => watchRows(page, seconds * 1000))
    const { frames, rows, entries } = work.made
    const goal = { kind: 'at-most', ratio: 1 } as const
    return [
      {
        part: 'longest frame, processor time',
        ours: milliseconds(work.processor),
        peer: milliseconds(longest),
        ratio: work.processor / longest,
        goal,
        note: `${(entries / seconds).toFixed(0)} changes a second were drawn`,
      },
      {
        part: 'longest frame, by the clock',
        ours: milliseconds(work.clock),
        peer: milliseconds(longest),
        ratio: work.clock / longest,
        goal,
      },
      {
        part: 'rows changed in a frame',
        ours: (rows / frames).toFixed(2),
        peer: '1',
        ratio: rows / frames,
        goal: { kind: 'at-most', ratio: 1.2 },
      },
    ]
  },
}

interface Changes {
  /** Frames in which something of the transcript changed. */
  readonly frames: number
  /** Rows that changed, summed over these frames. */
  readonly rows: number
  /** Changes of the document in all. */
  readonly entries: number
}

/** Counts what changes in the transcript for so long. */
const watchRows = (page: Page, ms: number): Promise<Changes> =>
  transcript(page).evaluate(async (log, time) => {
    let [frames, rows, entries] = [0, 0, 0]
    let changed = new Set<Element>()
    const watch = new MutationObserver(records => {
      entries += records.length
      for (const { target } of records) {
        const row = (target instanceof Element ? target : target.parentElement)?.closest('[data-row]')
        if (row != null) changed.add(row)
      }
    })
    watch.observe(log, { subtree: true, childList: true, characterData: true, attributes: true })
    const until = performance.now() + time
    while (performance.now() < until) {
      await new Promise(resolve => requestAnimationFrame(resolve))
      if (changed.size === 0) continue
      frames += 1
      rows += changed.size
      changed = new Set()
    }
    watch.disconnect()
    return { frames, rows, entries }
  }, ms)
