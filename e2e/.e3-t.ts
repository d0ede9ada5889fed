import { chromium } from 'playwright-core'
import { openRoom } from './web/app/room.ts'
import { talkedSession } from './web/app/made-sessions.ts'
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu','--disable-background-networking'] })
{
  await using room = await openRoom(browser, { pace: '0' })
  const id = await talkedSession(room, 'hello', 'All')
  const page = await room.open('/', { reducedMotion: 'reduce' })
  for (const path of ['/', '/dashboard', '/approvals', `/s/${id}/replay`, '/nothing/here']) {
    const r = await page.goto(room.server.url + path)
    await page.waitForTimeout(3000)
    console.log(path, r?.status(), await page.getByRole('heading', { level: 1 }).allInnerTexts())
  }
}
await browser.close()
