import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from './looking.ts'
import type { Scenarios } from './scenario.ts'

const count = 10_000
/** However long the list is, a page has not more elements than this. */
const mostElements = 2_500

const list = (page: Page) => page.locator('nav [data-scroller]')

/** Runs in the page: the server has so many sessions. A real one takes long to make them. */
function pretend(total: number): void {
  const ask = window.fetch.bind(window)
  const sessionAt = (index: number) => ({
    id: `made-${index}`,
    agent: ['claude-code', 'codex', 'scripted'][index % 3],
    cwd: `/work/client-${index % 40}/app`,
    title: `Made session ${index}`,
    status: 'idle',
    archived: false,
    deleted: false,
    pinned: false,
    agentSession: null,
    handedOver: null,
    awaitsPlace: null,
    model: null,
    gitBranch: index % 2 === 0 ? 'main' : null,
    cost: index / 100,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    interactions: 1,
    running: null,
    ended: 'finished',
    pending: 0,
    branch: null,
    createdAt: Date.UTC(2026, 0, 1) - index * 3_600_000,
    updatedAt: 0,
    seq: 1,
  })
  window.fetch = async (...asked) => {
    const { pathname, searchParams } = new URL(new Request(...asked).url)
    if (pathname !== '/api/sessions' || searchParams.has('status')) return ask(...asked)
    if (searchParams.has('pinned')) return Response.json({ sessions: [], next: null })
    const [from, limit] = [Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('limit'))]
    const to = Math.min(total, from + limit)
    const sessions = Array.from({ length: to - from }, (_, at) => sessionAt(from + at))
    return Response.json({ sessions, next: to < total ? String(to) : null })
  }
}

async function assertSmall(page: Page): Promise<void> {
  const elements = await page.evaluate(() => document.querySelectorAll('*').length)
  assert.ok(elements < mostElements, `the page has ${elements} elements`)
}

/** Scrolls on for some frames, and returns the most frames in a row in which the middle of the list had no row. */
const blankWhileScrolling = (page: Page): Promise<number> =>
  list(page).evaluate(async scroller => {
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
    let [blank, most] = [0, 0]
    for (let frames = 0; frames < 120; frames += 1) {
      scroller.scrollTop += 400
      await frame()
      await frame()
      const { left, width, top, height } = scroller.getBoundingClientRect()
      const there = document.elementFromPoint(left + width / 2, top + height / 2)
      blank = there?.closest('li') ? 0 : blank + 1
      most = Math.max(most, blank)
    }
    return most
  })

/** A very long list of sessions. */
export const manySessions: Scenarios = {
  '10,000 sessions can be scrolled to the last one, by time and by project, in a small page': {
    async play(room) {
      const page = await room.open('/dashboard?demo=1')
      await page.addInitScript(pretend, count)
      await page.goto(`${room.server.url}/`)
      await list(page).getByText('Made session 0', { exact: true }).waitFor()
      await until('the last session is loaded', async () => {
        await list(page).evaluate(scroller => scroller.scrollTo(0, scroller.scrollHeight))
        return list(page)
          .getByText(`Made session ${count - 1}`, { exact: true })
          .isVisible()
      })
      await assertSmall(page)
      await list(page).evaluate(scroller => scroller.scrollTo(0, 0))
      await list(page).getByText('Made session 0', { exact: true }).waitFor()
      const blank = await blankWhileScrolling(page)
      assert.ok(blank < 6, `the list was blank for ${blank} steps`)
      await assertSmall(page)
      await page.getByRole('button', { name: 'Group by project' }).click()
      await list(page).evaluate(scroller => scroller.scrollTo(0, 0))
      await list(page)
        .getByRole('button', { name: /client-0\/app/ })
        .waitFor()
      assert.match(
        await list(page)
          .getByRole('button', { name: /client-0\/app/ })
          .innerText(),
        /250/,
      )
      await assertSmall(page)
      await list(page)
        .getByRole('button', { name: /client-0\/app/ })
        .focus()
      await page.keyboard.press('End')
      await until('the last row has the focus', () =>
        page.evaluate(() => document.activeElement?.getAttribute('data-session') === 'made-9999'),
      )
      await assertSmall(page)
    },
  },
}
