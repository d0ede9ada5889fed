import type { Page } from 'playwright-core'
import { longSession } from '../e2e/web/app/made-sessions.ts'
import type { Room } from '../e2e/web/app/room.ts'
import { transcript } from '../e2e/web/app/steps.ts'
import type { Bench } from './harness/bench.ts'
import { interleave, ratioOf } from './harness/interleave.ts'
import { milliseconds } from './harness/numbers.ts'
import { median } from './harness/statistics.ts'
import { openStage } from './web/stage.ts'

const rounds = 7
const [few, many] = [100, 10_000]

/** How long a long conversation takes to be there and to be scrolled, in a real browser. */
export const webOpen: Bench = {
  name: 'web-open',
  what: `a conversation of ${many} messages is opened in the browser and scrolled`,
  beside: `one of ${few}`,
  how: 'Chromium loads the page of the session until the last message is shown. Then the transcript is scrolled up and down by ten screens, one per frame. Opening is timed from the navigation to the last message, and scrolling is timed in the page. The result is the sum.',
  seconds: 0,
  async run() {
    await using stage = await openStage()
    const page = await stage.room.open('/')
    const scrolled: Record<number, number[]> = { [few]: [], [many]: [] }
    const sessions = new Map<number, string>()
    for (const count of [few, many]) sessions.set(count, await longSession(stage.room, count))
    const slice = (count: number) => async () => {
      const opened = await open(page, stage.room, sessions.get(count) ?? '', count)
      const scroll = await scrollAbout(page)
      scrolled[count]?.push(scroll)
      return opened + scroll
    }
    const [small = [], large = []] = await interleave(rounds, [slice(few), slice(many)])
    const scrolls = [few, many].map(count => milliseconds(median(scrolled[count] ?? [])))
    return [
      {
        ours: milliseconds(median(large)),
        peer: milliseconds(median(small)),
        ...ratioOf(large, small),
        goal: { kind: 'at-most', ratio: 1.5 },
        note: `scrolling alone took ${scrolls[1]} with ${many} messages and ${scrolls[0]} with ${few}`,
      },
    ]
  },
}

async function open(page: Page, room: Room, session: string, count: number): Promise<number> {
  const begin = performance.now()
  await page.goto(`${room.server.url}/s/${session}`, { waitUntil: 'commit' })
  await transcript(page)
    .getByText(`Message ${count - 1}.`)
    .waitFor()
  return performance.now() - begin
}

/** Scrolls up by ten heights and down again; each step waits until it is drawn. */
const scrollAbout = (page: Page): Promise<number> =>
  transcript(page).evaluate(async log => {
    const begin = performance.now()
    for (let step = 0; step < 20; step += 1) {
      log.scrollTop += (step < 10 ? -1 : 1) * log.clientHeight
      await new Promise(resolve => requestAnimationFrame(resolve))
    }
    return performance.now() - begin
  })
