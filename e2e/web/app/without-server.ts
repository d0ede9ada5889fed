import assert from 'node:assert/strict'
import { cpSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { appFolder } from '../build-app.ts'
import { shownTalk, tall, talkOf, until, untilSame } from './looking.ts'
import type { Scenarios } from './scenario.ts'
import { messageBox, sendPrompt, transcript, untilIdle } from './steps.ts'

/** Waits until the page could be opened without the server. */
const untilKept = (page: Page) =>
  page.waitForFunction(async () => {
    const { active } = await navigator.serviceWorker.ready
    return active?.state === 'activated' && navigator.serviceWorker.controller !== null
  })

/** A copy of the app whose script has another name, as that of a newer version has. */
function newerApp(folder: string): string {
  cpSync(appFolder, folder, { recursive: true })
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const name = /assets\/([^"/]+)\.js"/.exec(page.slice(page.indexOf('type="module"')))?.[1]
  if (name === undefined) throw new Error('The page has no script.')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter(each => /\.(js|html)$/.test(each))) {
    const text = readFileSync(join(folder, file), 'utf8')
    if (text.includes(`${name}.js`))
      writeFileSync(join(folder, file), text.replaceAll(`${name}.js`, `${name}-newer.js`))
  }
  renameSync(join(folder, 'assets', `${name}.js`), join(folder, 'assets', `${name}-newer.js`))
  return folder
}

/** What a page shows without its server. */
export const unreachable = (page: Page): Locator => page.getByText('Can’t reach the server — retrying.')

/** How long a user is left without an explanation. */
export const soon = { timeout: 5000 }

/** The cached app is opened without its server, or is older than the server's. */
export const withoutServer: Scenarios = {
  'the app opens while the server is down, accepts a prompt, and continues when it is back': {
    pace: '0',
    async play(room) {
      const session = await talkOf(room, 'before')
      await untilIdle(room, session)
      const page = await room.open(`/s/${session}`, tall)
      await untilKept(page)
      await room.kill()
      await page.goto(room.server.url)
      await page.getByRole('heading', { name: 'Can’t reach the server' }).waitFor()
      await page.goto(`${room.server.url}/s/${session}`)
      await sendPrompt(page, 'given to nobody')
      await until('the prompt is saved', async () => (await messageBox(page).inputValue()) === '')
      await page.goto(room.server.url)
      await page.getByRole('link', { name: 'given to nobody' }).waitFor()
      await room.start()
      await page.getByRole('link', { name: 'given to nobody' }).waitFor({ state: 'detached' })
      await page.goto(`${room.server.url}/s/${session}`)
      await transcript(page).getByText('I understood “given to nobody”').waitFor()
      await untilSame(room, session, page)
      assert.deepEqual((await shownTalk(page)).asked, ['before', 'given to nobody'])
    },
  },
  'a page opened without its server shows that nothing is loaded, and loads when the server is back': {
    pace: '0',
    async play(room) {
      const session = await talkOf(room, 'before')
      await untilIdle(room, session)
      const asked = (page: Page) =>
        transcript(page).getByRole('article', { name: 'You', exact: true }).getByText('before')
      const listed = (page: Page) => page.locator('main').getByRole('link', { name: /before/ })
      const total = (page: Page) => page.locator('main').getByText('$0.0020').first()
      const pages: (readonly [Page, Locator])[] = []
      for (const [path, shown] of [
        [`/s/${session}`, asked],
        [`/s/${session}/replay`, asked],
        ['/', listed],
        ['/dashboard?demo=1', total],
      ] as const) {
        const page = await room.open(path)
        await shown(page).waitFor()
        pages.push([page, shown(page)])
      }
      const [first] = pages[0] ?? []
      if (first === undefined) throw new Error('There is no page.')
      await untilKept(first)
      await room.kill()
      for (const [page] of pages) await unreachable(page).waitFor()
      await first.getByText('You’re seeing the last known state.').waitFor()
      for (const [page] of pages) {
        await page.reload()
        await page.getByText('retrying. Nothing has loaded yet.').waitFor(soon)
        assert.equal(await page.getByText('last known state').count(), 0)
      }
      await first.context().setOffline(true)
      await first.getByText('You’re offline. Nothing has loaded yet — retrying.').waitFor()
      await first.context().setOffline(false)
      await room.start()
      for (const [page, shown] of pages) {
        await shown.waitFor()
        await unreachable(page).waitFor({ state: 'detached' })
      }
    },
  },
  'a page of an older version announces the newer one, and loads it on request': {
    isLong: true,
    pace: '0',
    async play(room) {
      const page = await room.open()
      await untilKept(page)
      await room.kill()
      await room.start(newerApp(join(room.home, 'newer')))
      const other = await room.open()
      await other.getByRole('button', { name: 'Start the demo' }).waitFor()
      await page.getByText('A new version is ready.').waitFor()
      await page.getByRole('button', { name: 'Reload' }).click()
      await page.getByRole('button', { name: 'Start the demo' }).waitFor()
      const scripts = page.locator('script[type=module]')
      assert.match((await scripts.first().getAttribute('src')) ?? '', /-newer\.js$/)
      assert.equal(await other.getByText('A new version is ready.').count(), 0)
    },
  },
}
