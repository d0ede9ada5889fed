import type { BrowserContextOptions, Page } from 'playwright-core'
import { createAxeLooks, type AxeLooks } from './accessible.ts'
import { askingSession, talkedSession } from './made-sessions.ts'
import { keptFocusScenarios } from './kept-focus.ts'
import { keyboardScenarios } from './keyboard.ts'
import { nothingCut } from './nothing-cut.ts'
import { phone, phoneScenarios } from './phone.ts'
import type { Room } from './room.ts'
import type { Scenario, Scenarios } from './scenario.ts'
import { dock, transcript } from './steps.ts'

const still = { reducedMotion: 'reduce' } as const

/** The app works with a screen reader, without a mouse, and on a phone. */
export const access: Scenarios = {
  ...keyboardScenarios,
  ...keptFocusScenarios,
  ...phoneScenarios,
  ...nothingCut,
  'axe finds no problem on any page in light mode': axeIn({ ...still, colorScheme: 'light' }),
  'axe finds no problem on any page in dark mode': {
    ...axeIn({ ...still, colorScheme: 'dark' }),
    isLong: true,
  },
  'axe finds no problem on any page on a phone': { ...axeIn({ ...still, ...phone }), isLong: true },
}

function axeIn(look: BrowserContextOptions): Scenario {
  return {
    pace: '0',
    async play(room) {
      const page = await room.open('/', look)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const axe = createAxeLooks(page)
      await axe.look('the first page')
      const session = await talkedSession(room, 'everything', 'All of it')
      await lookAtSession(page, room, session, axe)
      await lookAtQuestions(page, room, axe)
      await lookAtDialogs(page, room, session, axe)
      await lookAtPages(page, room, session, axe)
      axe.finish()
    },
  }
}

/** So tall that everything of a conversation is there at once. */
async function lookAtSession(page: Page, room: Room, session: string, axe: AxeLooks): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ ...size, height: 9000 })
  await page.goto(`${room.server.url}/s/${session}`)
  await openAll(page)
  await axe.look('a session with all cards open')
  await page.setViewportSize(size)
  for (const [key, tab] of [
    ['l', 'Work log'],
    ['x', 'Context'],
    ['r', 'Inspector'],
  ] as const) {
    await page.locator('body').press(key)
    await page.getByRole('tab', { name: tab, selected: true }).waitFor()
    await page.getByRole('tabpanel').getByRole('button').first().waitFor()
    await axe.look(`a session beside the ${tab.toLowerCase()}`)
    await page
      .getByRole('button', { name: /^Close/ })
      .first()
      .click()
  }
}

/** Opens every card, thought and subagent of a conversation, and all data of one call. */
async function openAll(page: Page): Promise<void> {
  const closed = transcript(page).getByRole('button', { name: /^(?!All data)/, expanded: false })
  await closed.first().waitFor()
  for (let round = 0; round < 5 && (await closed.count()) > 0; round += 1)
    await closed.evaluateAll(all => all.forEach(each => each instanceof HTMLElement && each.click()))
  await transcript(page).getByRole('button', { name: 'All data' }).first().click()
}

async function lookAtQuestions(page: Page, room: Room, axe: AxeLooks): Promise<void> {
  await page.goto(`${room.server.url}/s/${await askingSession(room, 'an approval', 'May it?')}`)
  const question = dock(page)
  await question.getByRole('button', { name: 'Allow', exact: true }).waitFor()
  await axe.look('an approval')
  await question.getByRole('button', { name: 'Edit…' }).click()
  await axe.look('an approval whose input is changed')
  await page.goto(`${room.server.url}/s/${await askingSession(room, 'a question', 'Which?')}`)
  await question.getByRole('radio').first().waitFor()
  await axe.look('a question')
}

async function lookAtDialogs(page: Page, room: Room, session: string, axe: AxeLooks): Promise<void> {
  await page.goto(`${room.server.url}/s/${session}`)
  await transcript(page).waitFor()
  const dialogs: readonly (readonly [key: string, name: RegExp])[] = [
    ['c', /New session/],
    ['Control+k', /command/i],
    ['?', /key/i],
  ]
  for (const [key, name] of dialogs) {
    await page.locator('body').press(key)
    await page.getByRole('dialog', { name }).waitFor()
    await axe.look(`the dialog at ${key}`)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Session actions' }).click()
  await page.getByRole('menu').first().waitFor()
  await axe.look('the menu of a session')
  for (const name of [/^Export/, /^Move to/]) {
    if (!(await page.getByRole('menu').first().isVisible()))
      await page.getByRole('button', { name: 'Session actions' }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('dialog').waitFor()
    await axe.look(`the dialog ${name.source}`)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'About this session' }).click()
  await axe.look('the details of a session')
}

async function lookAtPages(page: Page, room: Room, session: string, axe: AxeLooks): Promise<void> {
  const pages = {
    dashboard: '/dashboard',
    approvals: '/approvals',
    replay: `/s/${session}/replay`,
    start: '/',
    gone: '/s/01a1e01b-0000-7000-8000-000000000000',
  }
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${room.server.url}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await axe.look(`the page ${name}`)
  }
}
