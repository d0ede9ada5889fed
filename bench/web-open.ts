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
  how: 'Chromium loads the page of the session, and the last message stands; then the transcript is scrolled up and down by ten heights, a frame for each. The first is from a click on the address to the last message, the second by the clock of the page.',
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
        note: `of which the scrolling took ${scrolls[1]} and ${scrolls[0]}`,
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

/** Up by ten heights and down again; each step waits for what it shows to be drawn. */
const scrollAbout = (page: Page): Promise<number> =>
  transcript(page).evaluate(async log => {
    const begin = performance.now()
    for (let step = 0; step < 20; step += 1) {
      log.scrollTop += (step < 10 ? -1 : 1) * log.clientHeight
      await new Promise(resolve => requestAnimationFrame(resolve))
    }
    return performance.now() - begin
  })
