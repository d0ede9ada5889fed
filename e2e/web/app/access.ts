import type { BrowserContextOptions, Page } from 'playwright-core'
import { assertAccessible } from './accessible.ts'
import { askingSession, talkedSession } from './made-sessions.ts'
import type { Room } from './room.ts'
import type { Scenario, Scenarios } from './scenario.ts'
import { transcript } from './steps.ts'

const still = { reducedMotion: 'reduce' } as const
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

/** Whoever cannot see, or cannot use a mouse, or has a phone, gets all of it. */
export const access: Scenarios = {
  'axe finds nothing on any page in light': axeIn({ ...still, colorScheme: 'light' }),
  'axe finds nothing on any page in dark': axeIn({ ...still, colorScheme: 'dark' }),
  'axe finds nothing on any page of a phone': axeIn({ ...still, ...phone }),
}

function axeIn(look: BrowserContextOptions): Scenario {
  return {
    pace: '0',
    async play(room) {
      const page = await room.open('/', look)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await assertAccessible(page, 'the first page')
      const session = await talkedSession(room, 'everything', 'All of it')
      await lookAtSession(page, room, session)
      await lookAtQuestions(page, room)
      await lookAtDialogs(page, room, session)
      await lookAtPages(page, room, session)
    },
  }
}

/** So tall that everything of a conversation is there at once. */
async function lookAtSession(page: Page, room: Room, session: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ ...size, height: 9000 })
  await page.goto(`${room.server.url}/s/${session}`)
  await openAll(page)
  await assertAccessible(page, 'a session with all cards open')
  await page.setViewportSize(size)
  for (const [key, tab] of [['l', 'Work log'], ['x', 'Context'], ['r', 'Inspector']] as const) {
    await page.locator('body').press(key)
    await page.getByRole('tab', { name: tab, selected: true }).waitFor()
    await page.getByRole('tabpanel').locator('li, tr, [role=listitem], button').first().waitFor()
    await assertAccessible(page, `a session beside the ${tab.toLowerCase()}`)
    await page.getByRole('button', { name: /^Close/ }).first().click()
  }
}

/** Opens every card, thought and subagent of a conversation. */
async function openAll(page: Page): Promise<void> {
  const closed = transcript(page).getByRole('button', { expanded: false })
  await closed.first().waitFor()
  for (let count = 0; count < 100 && (await closed.count()) > 0; count += 1) await closed.first().click()
}

async function lookAtQuestions(page: Page, room: Room): Promise<void> {
  await page.goto(`${room.server.url}/s/${await askingSession(room, 'an approval', 'May it?')}`)
  const dock = page.getByRole('region', { name: 'What the agent asks' })
  await dock.getByRole('button', { name: 'Allow', exact: true }).waitFor()
  await assertAccessible(page, 'an approval')
  await dock.getByRole('button', { name: 'Change…' }).click()
  await assertAccessible(page, 'an approval whose input is changed')
  await page.goto(`${room.server.url}/s/${await askingSession(room, 'a question', 'Which?')}`)
  await dock.getByRole('radio').first().waitFor()
  await assertAccessible(page, 'a question')
}

async function lookAtDialogs(page: Page, room: Room, session: string): Promise<void> {
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
    await assertAccessible(page, `the dialog at ${key}`)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Session actions' }).click()
  await page.getByRole('menu').first().waitFor()
  await assertAccessible(page, 'the menu of a session')
  for (const name of [/^Export/, /^Move to/]) {
    if (!(await page.getByRole('menu').first().isVisible())) await page.getByRole('button', { name: 'Session actions' }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('dialog').waitFor()
    await assertAccessible(page, `the dialog ${name.source}`)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'About this session' }).click()
  await assertAccessible(page, 'what is told about a session')
}

async function lookAtPages(page: Page, room: Room, session: string): Promise<void> {
  const pages = { dashboard: '/dashboard', approvals: '/approvals', replay: `/s/${session}/replay`, start: '/', nothing: '/nothing/here' }
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${room.server.url}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await assertAccessible(page, `the page ${name}`)
  }
}
