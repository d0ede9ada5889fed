import type { Locator, Page } from 'playwright-core'
import type { Room } from './room.ts'

/** The message field. */
export const messageBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })

/** The transcript of the page. */
export const transcript = (page: Page): Locator => page.getByRole('log', { name: 'Transcript' })

/** The request of the agent. */
export const dock = (page: Page): Locator => page.getByRole('region', { name: 'Approval requests' })

/** Creates a session with an empty form; returns its ID. */
export async function newSession(page: Page): Promise<string> {
  const before = page.url()
  await page.getByRole('button', { name: 'New session' }).first().click()
  await untilFocused(
    page.getByRole('dialog', { name: 'New session' }).getByRole('combobox', { name: 'Folder' }),
  )
  await page.keyboard.press('Enter')
  await page.waitForURL(({ href }) => href !== before && /\/s\/[^/]+$/.test(href))
  await untilFocused(messageBox(page))
  return sessionOf(page)
}

/** Waits until something has the focus. */
export async function untilFocused(wanted: Locator): Promise<void> {
  await wanted.waitFor()
  const element = await wanted.elementHandle()
  await wanted.page().waitForFunction(each => each === document.activeElement, element)
}

/** The session that a page shows. */
export const sessionOf = (page: Page): string =>
  decodeURIComponent(/\/s\/([^/]+)/.exec(page.url())?.[1] ?? '')

/** Writes and sends. */
export async function sendPrompt(page: Page, words: string): Promise<void> {
  await messageBox(page).fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** Waits until nothing runs in a session any more. */
export async function untilIdle({ client }: Room, session: string, ms = 60_000): Promise<void> {
  const until = performance.now() + ms
  for (;;) {
    const { status, running, interactions, queue } = await client.call('getSession', { params: { session } })
    // Between two prompts nothing runs for a moment.
    if (running === null && queue.length === 0 && interactions > 0 && status !== 'waiting') return
    if (performance.now() > until) throw new Error(`It still runs after ${ms / 1000} s: ${status}.`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
