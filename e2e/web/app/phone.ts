import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { talkedSession } from './made-sessions.ts'
import type { Scenarios } from './scenario.ts'
import { dock, messageBox, sessionOf, transcript, untilFocused, untilIdle } from './steps.ts'

/** As a phone shows it. */
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

/** Using the app on a phone. */
export const phoneScenarios: Scenarios = {
  'on a phone: start a session, prompt, approve, and open another session': {
    pace: '0',
    async play(room) {
      const other = await talkedSession(room, 'hello', 'Another one')
      const page = await room.open('/', phone)
      await assertOneWay(page)
      await page.getByRole('button', { name: 'New session' }).first().tap()
      await page.getByRole('button', { name: 'Start', exact: true }).tap()
      await page.waitForURL(/\/s\/[^/]+$/)
      await messageBox(page).fill('an approval')
      await assertInSight(page, 'Send')
      await page.getByRole('button', { name: 'Send' }).tap()
      const allow = dock(page).getByRole('button', { name: 'Allow', exact: true })
      await allow.waitFor()
      await assertInSight(page, 'Allow')
      await assertNoSideways(page, 'an approval')
      await allow.tap()
      await untilIdle(room, sessionOf(page))
      await page.getByRole('button', { name: /^Open sessions/ }).tap()
      const drawer = page.getByRole('dialog', { name: 'Sessions' })
      await assertNoSideways(page, 'the drawer of sessions')
      await drawer.getByRole('link', { name: /Another one/ }).tap()
      await page.waitForURL(new RegExp(other))
      await drawer.waitFor({ state: 'hidden' })
      await transcript(page).getByText('Hello!').waitFor()
      await page.getByRole('button', { name: /^Open sessions/ }).tap()
      await drawer.getByRole('button', { name: 'New session' }).tap()
      await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.waitForFunction(() => document.querySelector('dialog[open]') === null)
      assert.notEqual(
        await page.evaluate(() => document.activeElement?.localName),
        'body',
        'nothing has the focus',
      )
    },
  },
  'a phone shows a whole session without scrolling sideways': {
    pace: '0',
    async play(room) {
      const session = await talkedSession(
        room,
        'everything',
        'A title that is far too long to be shown in one line',
      )
      const page = await room.open(`/s/${session}`, phone)
      await transcript(page).getByText('That was everything.').waitFor()
      await walkUp(page)
      await page.getByRole('button', { name: 'Work log, context and inspector' }).tap()
      const panel = page.getByRole('dialog', { name: 'Details' })
      for (const name of ['Work log', 'Context', 'Inspector']) {
        await panel.getByRole('tab', { name }).tap()
        await panel.getByRole('tabpanel').getByRole('button').first().waitFor()
        await assertNoSideways(page, name)
      }
      await panel.getByRole('button', { name: 'Close', exact: true }).tap()
      await panel.waitFor({ state: 'hidden' })
      for (const path of ['/', '/dashboard?demo=1', '/approvals', `/s/${session}/replay`]) {
        await page.goto(`${room.server.url}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        await assertNoSideways(page, path)
      }
    },
  },
}

/** There is one session list and one button for a new session, whether the drawer is open or not. */
async function assertOneWay(page: Page): Promise<void> {
  const sessions = page.getByRole('navigation', { name: 'Sessions' })
  const begin = page.getByRole('button', { name: 'New session' })
  const way = sessions.getByRole('button', { name: /^Open sessions/ })
  await way.tap()
  await page.getByRole('dialog', { name: 'Sessions' }).waitFor()
  await sessions.getByRole('link', { name: /Another one/ }).waitFor()
  assert.deepEqual([await sessions.count(), await begin.count(), await way.count()], [1, 1, 0])
  await page.keyboard.press('Escape')
  await untilFocused(way)
  assert.deepEqual([await sessions.count(), await begin.count()], [1, 1])
}

/** Scrolls a conversation from its end to its start, and opens everything on the way. */
async function walkUp(page: Page): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await assertNoSideways(page, `the conversation, ${step} steps up`)
    const isTop = await transcript(page).evaluate(log => {
      for (const card of log.querySelectorAll<HTMLElement>('button[aria-expanded=false]')) card.click()
      log.scrollTop -= log.clientHeight * 0.8
      return log.scrollTop <= 0
    })
    if (isTop) return
  }
  throw new Error('The beginning of the conversation was not reached.')
}

async function assertNoSideways(page: Page, where: string): Promise<void> {
  const wide = await page.evaluate(() => {
    const log = document.querySelector('[role=log]')
    const boxes = [document.documentElement, ...(log === null ? [] : [log])]
    const tooWide = boxes.find(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    const isZoomed = innerWidth > 390
    return tooWide === undefined && !isZoomed ? null : `${tooWide?.className} ${tooWide?.scrollWidth}`
  })
  assert.equal(wide, null, `${where} is wider than the phone: ${wide}`)
}

/** A button that a thumb reaches without scrolling, and does not miss. */
async function assertInSight(page: Page, name: string): Promise<void> {
  const box = await page.getByRole('button', { name, exact: true }).last().boundingBox()
  assert.ok(
    box !== null && box.y >= 0 && box.y + box.height <= 844,
    `${name} is out of sight: ${JSON.stringify(box)}`,
  )
  assert.ok(box.height >= 32 && box.width >= 32, `${name} is too small: ${JSON.stringify(box)}`)
}
