import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { createClient, type Client } from '../../../src/client/index.ts'
import { startServer, type ServerProcess } from '../../server-process.ts'
import { appFolder } from '../build-app.ts'

/** The setting of a scenario: its own server, a signed-in browser, and an API client. */
export interface Room extends AsyncDisposable {
  readonly server: ServerProcess
  /** An API client with the token, to prepare sessions and to compare results. */
  readonly client: Client
  /** The folder in which agents work, and the home folder of the server. */
  readonly home: string
  /** Opens a signed-in page in its own window. All share one browser profile unless `options` say otherwise. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>
  /** Ends the server, as a power cut would or in good order, and starts it again at the same port. */
  restart(how?: 'kill' | 'end'): Promise<void>
  kill(): Promise<void>
  /** Starts it again at the same port; with the app of another folder, if given. */
  start(app?: string): Promise<void>
}

/** How a room differs from the usual one. */
export interface RoomOptions {
  /** How much slower or faster the scripted agent writes; 0 is at once. */
  readonly pace?: string
  readonly flags?: readonly string[]
  /** Additional variables of the server's environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** Opens a room. Whatever a page throws, or its policy refuses, fails the scenario when the room is closed. */
export async function openRoom(browser: Browser, options: RoomOptions = {}): Promise<Room> {
  const home = mkdtempSync(join(tmpdir(), 'dragoman-room-'))
  const begin = (port: number, app = appFolder) =>
    startServer({
      data: join(home, 'data'),
      home,
      port,
      flags: ['--root', home, ...(options.flags ?? [])],
      pace: options.pace ?? '1',
      env: { DRAGOMAN_WEB: app, ...options.env },
    })
  let server = await begin(0)
  const port = Number(new URL(server.url).port)
  const client = createClient({ url: server.url, token: server.token })
  const profiles = new Map<string, Promise<Profile>>()
  const troubles: string[] = []
  const profileFor = (given: BrowserContextOptions) => {
    const key = JSON.stringify(given)
    const profile = profiles.get(key) ?? letIn(browser, server, given)
    profiles.set(key, profile)
    return profile
  }
  const start = async (app?: string) => void (server = await begin(port, app))
  return {
    get server() {
      return server
    },
    client,
    home,
    async open(path = '/', given = {}) {
      const page = await (await profileFor(given)).openWindow()
      page.on('pageerror', error => troubles.push(`${path} threw: ${error.stack ?? error.message}`))
      page.on('console', message => {
        if (/Content Security Policy|Trusted Type/i.test(message.text()))
          troubles.push(`${path}: ${message.text()}`)
      })
      await page.goto(`${server.url}${path}`)
      return page
    },
    async restart(how = 'end') {
      await (how === 'kill' ? server.kill() : server[Symbol.asyncDispose]())
      await start()
    },
    kill: () => server.kill(),
    start,
    async [Symbol.asyncDispose]() {
      for (const profile of profiles.values()) await (await profile).context.close()
      client.close()
      await server[Symbol.asyncDispose]()
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
      if (troubles.length > 0) throw new Error(troubles.join('\n'))
    },
  }
}

/** A signed-in browser, and how it opens a window. */
interface Profile {
  readonly context: BrowserContext
  readonly openWindow: () => Promise<Page>
}

/** Opens a sign-in link, and waits until the page has its key and shows the app. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link, { waitUntil: 'commit' })
  await page.waitForURL(({ search }) => search === '')
}

/** A browser profile that is signed in by a ticket, as a user would. */
async function letIn(
  browser: Browser,
  { url: origin, token }: ServerProcess,
  given: BrowserContextOptions,
): Promise<Profile> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...given })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${origin}/api/tickets`, { method: 'POST', headers, body: '{}' })
  const { url } = (await response.json()) as { readonly url: string }
  const page = await context.newPage()
  await signIn(page, url)
  const openWindow = await windowsBeside(browser, page)
  await page.close()
  return { context, openWindow }
}

/**
 * How windows are opened in the profile of a page. Playwright opens tabs of one window, and Chromium draws all
 * but one of them only once a second: each step would take seconds, and toasts would be gone by then.
 */
async function windowsBeside(browser: Browser, page: Page): Promise<() => Promise<Page>> {
  const context = page.context()
  const { targetInfo } = await (await context.newCDPSession(page)).send('Target.getTargetInfo')
  return async () => {
    const session = await browser.newBrowserCDPSession()
    const opened = context.waitForEvent('page')
    await session.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      ...(targetInfo.browserContextId !== undefined && { browserContextId: targetInfo.browserContextId }),
    })
    await session.detach()
    return await opened
  }
}
