import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type BrowserContextOptions, type Page } from 'playwright-core'
import { recordKill } from './pictures/animation.ts'
import { openRealRoom, showRealSession, startRealSession } from './pictures/real-session.ts'
import { openRoom, type Room } from './web/app/room.ts'
import { newSession, sendPrompt, transcript, untilIdle } from './web/app/steps.ts'
import { buildApp } from './web/build-app.ts'
import { findChromium } from './web/find-chromium.ts'

/*
 * Pictures of the main pages, light, dark and as a phone shows them, for the README and the documentation, and an
 * animation of a killed server: npm run pictures -- [--to FOLDER] [--only real]
 * The session of the real Claude Code needs the npm registry, the animation ImageMagick.
 */
const { values } = parseArgs({
  options: {
    to: { type: 'string', default: join(import.meta.dirname, '../docs/pictures') },
    only: { type: 'string' },
  },
})
mkdirSync(values.to, { recursive: true })

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}

/** The content of each picture, and how to get there. */
const scenes: Readonly<Record<string, (page: Page, room: Room, session: string) => Promise<void>>> = {
  welcome: page => go(page, '/'),
  session: async (page, _, session) => {
    await go(page, `/s/${session}`)
    await transcript(page).waitFor()
  },
  approval: async (page, room) => {
    const { id } = await room.client.createSession({ title: 'May it?' })
    await room.client.session(id).prompt('an approval').saved
    await go(page, `/s/${id}`)
    await page.getByRole('button', { name: 'Allow', exact: true }).first().waitFor()
  },
  inspector: (page, _, session) => openPanel(page, session, 'r'),
  context: (page, _, session) => openPanel(page, session, 'x'),
  'work-log': (page, _, session) => openPanel(page, session, 'l'),
  replay: (page, _, session) => go(page, `/s/${session}/replay`),
  dashboard: page => go(page, '/dashboard?demo=1'),
  approvals: page => go(page, '/approvals'),
}

async function openPanel(page: Page, session: string, key: string): Promise<void> {
  await go(page, `/s/${session}`)
  await transcript(page).waitFor()
  await page.keyboard.press(key)
}

async function go(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  await page.waitForLoadState('networkidle')
}

buildApp()
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  if (values.only === undefined) await takeScenes()
  await takeRealSession()
} finally {
  await browser.close()
}

async function takeScenes(): Promise<void> {
  await using room = await openRoom(browser, { pace: '0' })
  const first = await room.open()
  const session = await newSession(first)
  await sendPrompt(first, 'show me everything')
  await answerAll(room, session)
  for (const look of Object.keys(looks))
    for (const [name, show] of Object.entries(scenes))
      await take(room, name, look, page => show(page, room, session))
}

async function takeRealSession(): Promise<void> {
  await using room = await openRealRoom(browser)
  const session = await startRealSession(room)
  for (const look of Object.keys(looks))
    await take(room, 'claude-code', look, page => showRealSession(page, session))
  await recordKill(browser, room, session, join(values.to, 'kill.gif'))
  console.log('kill.gif')
}

async function take(
  room: Room,
  name: string,
  look: string,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await room.open('/', looks[look])
  await show(page)
  await page.waitForTimeout(700)
  await page.screenshot({ path: join(values.to, `${name}-${look}.png`) })
  await page.close()
  console.log(`${name}-${look}.png`)
}

/** Approves every question until the answer is finished. */
async function answerAll(room: Room, id: string): Promise<void> {
  const session = room.client.session(id)
  const stop = session.pendingApprovals.subscribe(pending => {
    for (const { id: approval } of pending)
      session.answer(approval, { approved: true }).catch((error: Error) => console.log(error.message))
  })
  await untilIdle(room, id)
  stop()
}
