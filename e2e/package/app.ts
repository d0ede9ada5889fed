import { chromium } from 'playwright-core'
import { findChromium } from '../web/find-chromium.ts'
import { signIn } from '../web/app/room.ts'
import { newSession, sendPrompt, transcript } from '../web/app/steps.ts'
import type { Project } from './project.ts'

/** Uses the installed web app in a real browser, by the link that the server printed. */
export async function tryApp({ check }: Project, link: URL): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const troubles: string[] = []
    page.on('pageerror', error => troubles.push(error.message))
    page.on('console', message => message.type() === 'error' && troubles.push(message.text()))
    await signIn(page, link.href)
    await newSession(page)
    await sendPrompt(page, 'tools')
    await transcript(page).getByText('Two worked').waitFor()
    check(true, 'the web app signs in, starts a session and shows an answer')
    const notices = await page.goto(`${link.origin}/third-party-notices.txt`)
    check(notices?.status() === 200, 'the web app has the licences of its parts')
    check(troubles.length === 0, `the console of the browser is quiet ${troubles.join(' ')}`)
  } finally {
    await browser.close()
  }
}
