import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import type { Checks } from '../checks.ts'
import { startServer } from '../server-process.ts'
import { openFront, type Front } from './front.ts'
import { buildPage, releases, versionOf } from './pages.ts'

/** Stock useChat pages of four releases in a real browser, against a real server: reload, resume, stop, approval, second tab. */
export async function tryUseChat(browser: Browser, check: Checks['check']): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'dragoman-web-'))
  const scripts = new Map<string, string>()
  for (const { name, react, sdk } of releases) scripts.set(name, await buildPage(react, sdk))
  await using server = await startServer({ data: join(home, 'data'), home })
  await using front = await openFront(scripts)
  front.behind = server
  const stage = createStage(browser, front, check)
  try {
    for (const { name, sdk } of releases) {
      console.log(`useChat of ai ${versionOf(sdk)}`)
      await stage.reloadsMidAnswer(name)
      await stage.stopsAfterReload(name)
      await stage.approvesAfterReload(name, 'allow')
      await stage.approvesAfterReload(name, 'deny')
      await stage.showsEverything(name)
    }
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  }
}

interface ShownMessage {
  readonly id: string
  readonly role: string
  readonly parts: readonly Readonly<Record<string, unknown>>[]
}

/** The checks for each release. */
function createStage(browser: Browser, front: Front, check: Checks['check']) {
  async function openChat(release: string, chat: string): Promise<Page> {
    const page = await browser.newPage()
    page.on('pageerror', error => check(false, `${release}: the page threw ${error.message}`))
    await page.goto(`${front.url}/page/${encodeURIComponent(release)}?chat=${chat}`)
    await page.waitForFunction(() => window.chatReady)
    return page
  }

  const shown = (page: Page) => page.evaluate(() => window.chat.messages) as Promise<readonly ShownMessage[]>
  const statusOf = (page: Page) => page.evaluate(() => window.chat.status)
  const press = (page: Page, name: string) => page.click(`button[name=${name}]`)
  const isDone = (page: Page) =>
    page.waitForFunction(
      () => window.chat.status === 'ready' && window.chat.messages.at(-1) !== undefined,
      null,
      { timeout: 60_000 },
    )
  /** Waits until the last answer shows so many characters. */
  const hasSaid = (page: Page, length: number) =>
    page.waitForFunction(
      least => {
        const last = window.chat.messages.at(-1) as ShownMessage | undefined
        return last?.role === 'assistant' && JSON.stringify(last.parts).length > least
      },
      length,
      { timeout: 30_000 },
    )

  async function sendPrompt(page: Page, text: string): Promise<void> {
    await page.fill('input[name=text]', text)
    await press(page, 'send')
  }

  async function reload(page: Page): Promise<void> {
    await page.reload()
    await page.waitForFunction(() => window.chatReady)
  }

  /** Fields that a page set to undefined are missing in the stored message. */
  const sameJson = (one: unknown, other: unknown) =>
    isDeepStrictEqual(JSON.parse(JSON.stringify(one ?? null)), JSON.parse(JSON.stringify(other ?? null)))

  async function stored(chat: string): Promise<readonly ShownMessage[]> {
    const response = await fetch(`${front.url}/api/sessions/${chat}/messages?limit=1000`)
    return ((await response.json()) as { messages: readonly ShownMessage[] }).messages
  }

  async function reloadsMidAnswer(release: string): Promise<void> {
    const chat = `reload-${release}`
    const stays = await openChat(release, chat)
    await sendPrompt(stays, 'a long answer')
    await hasSaid(stays, 500)
    const reloaded = await openChat(release, chat)
    await hasSaid(reloaded, 600)
    await reload(reloaded)
    await hasSaid(reloaded, 900)
    check((await statusOf(reloaded)) === 'streaming', `${release}: after a reload the answer continues live`)
    await Promise.all([isDone(stays), isDone(reloaded)])
    const [one, two, kept] = [await shown(stays), await shown(reloaded), await stored(chat)]
    check(
      isDeepStrictEqual(one.at(-1), two.at(-1)),
      `${release}: a tab that was reloaded shows the same message as one that was not`,
    )
    check(two.length === 2 && kept.length === 2, `${release}: there is one prompt and one answer`)
    check(sameJson(two.at(-1)?.parts, kept.at(-1)?.parts), `${release}: the stored conversation is the same`)
    await Promise.all([stays.close(), reloaded.close()])
  }

  async function stopsAfterReload(release: string): Promise<void> {
    const chat = `stop-${release}`
    const page = await openChat(release, chat)
    await sendPrompt(page, 'a long answer')
    await hasSaid(page, 500)
    await press(page, 'disconnect')
    await reload(page)
    await hasSaid(page, 800)
    check((await statusOf(page)) === 'streaming', `${release}: stop() of a tab does not stop the agent`)
    await press(page, 'stop')
    await isDone(page)
    const status = (await (await fetch(`${front.url}/api/sessions/${chat}`)).json()) as { status: string }
    check(status.status === 'idle', `${release}: stopping works after a reload`)
    const last = (await shown(page)).at(-1)
    check(
      last?.parts.every(({ state }) => state !== 'streaming') === true,
      `${release}: nothing is left streaming`,
    )
    await page.close()
  }

  async function approvesAfterReload(release: string, button: 'allow' | 'deny'): Promise<void> {
    const chat = `${button}-${release}`
    const page = await openChat(release, chat)
    await sendPrompt(page, 'an approval')
    await page.waitForSelector(`button[name=${button}]`)
    await reload(page)
    await page.waitForSelector(`button[name=${button}]`)
    const watching = await openChat(release, chat)
    await watching.waitForSelector(`button[name=${button}]`)
    await press(page, button)
    await Promise.all([isDone(page), isDone(watching)])
    const states = (messages: readonly ShownMessage[]) =>
      messages.at(-1)?.parts.flatMap(({ type, state }) => (type === 'dynamic-tool' ? [state] : []))
    const wanted = button === 'allow' ? 'output-available' : 'output-error'
    check(
      states(await shown(page))?.includes(wanted) === true,
      `${release}: ${button} works after a reload (${wanted})`,
    )
    check(
      isDeepStrictEqual(states(await shown(page)), states(await shown(watching))),
      `${release}: a second tab shows the same live`,
    )
    await Promise.all([page.close(), watching.close()])
  }

  async function showsEverything(release: string): Promise<void> {
    const chat = `all-${release}`
    const page = await openChat(release, chat)
    for (const phrase of ['thinking', 'tools', 'a subagent', 'an image', 'todos', 'a retraction']) {
      await sendPrompt(page, phrase)
      await page.waitForFunction(() => window.chat.status !== 'ready')
      await isDone(page)
      const error = await page.evaluate(() => window.chat.error)
      check(error === null, `${release}: ${phrase} is shown${error === null ? '' : `: ${error}`}`)
    }
    const before = await shown(page)
    await press(page, 'regenerate')
    await page.waitForFunction(() => window.chat.status !== 'ready')
    await isDone(page)
    const after = await shown(page)
    check(
      after.length === before.length && after.at(-1)?.id !== before.at(-1)?.id,
      `${release}: regenerate gives another answer in the place of the last`,
    )
    await reload(page)
    await page.waitForFunction(() => window.chat.messages.length > 0)
    // A prompt that is sent again gets a new ID.
    const texts = (messages: readonly ShownMessage[]) =>
      messages.map(({ role, id, parts }) => (role === 'user' ? parts : id))
    check(
      sameJson(texts(await shown(page)), texts(after)),
      `${release}: a reload shows the same conversation`,
    )
    await page.close()
  }
  return { reloadsMidAnswer, stopsAfterReload, approvesAfterReload, showsEverything }
}
