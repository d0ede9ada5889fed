import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { WebSocket as ProgramSocket } from 'ws'
import { send } from '../../attacks/send.ts'
import { calls } from '../../attacks/target.ts'
import { until } from './looking.ts'
import { signIn, type Room } from './room.ts'
import type { Scenarios } from './scenario.ts'
import { newSession, sendPrompt, transcript, untilIdle } from './steps.ts'

/** Browsers send cookies to every port of a host: another local server must not be able to use ours. */
export const otherPort: Scenarios = {
  'another local port that gets the cookie can do nothing with it': {
    pace: '0',
    async play(room) {
      const page = await room.open('/')
      const session = await newSession(page)
      await sendPrompt(page, 'hello')
      await untilIdle(room, session)
      await using thief = await openThief()
      const victim = await room.open('/')
      await victim.goto(thief.url)
      const { cookie = '' } = thief.requests[0] ?? {}
      assert.match(cookie, /^dragoman-\d+=[\w-]{43}$/, 'the browser sends its cookie to other ports')
      await replay(room, session, cookie)
      await searchFiles(room, page, cookie)
      assert.deepEqual(await victim.evaluate(tryFromPage, room.server.url), [])
      // Meanwhile the page itself keeps working: in this tab, after a reload, and in another one.
      await page.reload()
      await sendPrompt(page, 'still here')
      await untilIdle(room, session)
      const other = await room.open(`/s/${session}`)
      await transcript(other).getByText('still here').first().waitFor()
    },
  },
  'a cookie set by another local port signs nobody in, and a new link signs in again': {
    pace: '0',
    async play(room) {
      const page = await room.open('/')
      const session = await newSession(page)
      const name = `dragoman-${new URL(room.server.url).port}`
      await using thief = await openThief([`${name}=junk; Path=/api`, `${name}=more; Path=/s`])
      const victim = await room.open('/')
      await victim.goto(thief.url)
      await page.reload()
      await sendPrompt(page, 'a second cookie of the name changes nothing')
      await untilIdle(room, session)
      await using vandal = await openThief([`${name}=junk; Path=/; Max-Age=1000`])
      await victim.goto(vandal.url)
      await page.reload()
      await page.getByText('dragoman open').waitFor()
      const { url } = await room.client.call('POST /api/tickets')
      await signIn(page, url)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.goto(`${room.server.url}/s/${session}`)
      await transcript(page).getByText('changes nothing').first().waitFor()
    },
  },
  'signing out takes effect in every tab, at once and after a restart': {
    pace: '0',
    async play(room) {
      const page = await room.open('/')
      const other = await room.open('/')
      const session = await newSession(other)
      const stolen = await page.evaluate(() => localStorage.getItem('dragoman:key') ?? '')
      const [cookie] = await page.context().cookies(room.server.url)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('Sign out every browser')
      await page.getByRole('option', { name: 'Sign out every browser' }).click()
      await page.getByText('dragoman open').waitFor()
      await other.getByRole('status').getByText('dragoman open').waitFor()
      const { host, port } = new URL(room.server.url)
      const headers = { host, cookie: `${cookie?.name}=${cookie?.value}`, 'x-dragoman-key': stolen }
      const again = () => send(Number(port), { method: 'GET', path: '/api/sessions', headers })
      assert.equal((await again()).status, 401)
      await room.restart()
      assert.equal((await again()).status, 401)
      const { url } = await room.client.call('POST /api/tickets')
      await signIn(page, url)
      // The signed-out tab continues by itself: it reads the new key.
      await sendPrompt(other, 'here again')
      await untilIdle(room, session)
    },
  },
  'a browser without its key shows how to sign in again': {
    pace: '0',
    async play(room) {
      const page = await room.open('/')
      await page.evaluate(() => localStorage.removeItem('dragoman:key'))
      await page.reload()
      await page.getByRole('status').getByText('dragoman open').waitFor()
      const { url } = await room.client.call('POST /api/tickets')
      await signIn(page, url)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('status').getByText('dragoman open').waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).search, '')
    },
  },
}

/** Another server on this machine, such as a preview that an agent started; it records what browsers send. */
async function openThief(cookies: readonly string[] = []) {
  const requests: IncomingHttpHeaders[] = []
  const server = createServer(({ headers }, outgoing) => {
    requests.push(headers)
    outgoing.writeHead(200, { 'content-type': 'text/html', 'set-cookie': [...cookies] })
    outgoing.end('<!doctype html><title>A preview</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Plays the cookie on every call, as an event stream, and on both WebSockets, with every header that a program can forge. */
async function replay(room: Room, session: string, cookie: string): Promise<void> {
  const port = Number(new URL(room.server.url).port)
  const host = `127.0.0.1:${port}`
  const forged = { host, cookie, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
  for (const { name, method, path, body } of calls(session).filter(call => call.name !== 'getLiveness'))
    for (const more of [{}, { accept: 'text/event-stream' }]) {
      const headers = { ...forged, 'content-type': 'application/json', ...more }
      const sent = { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      assert.equal((await send(port, sent)).status, 401, `${name} was accepted`)
    }
  for (const path of ['/api/ws', '/api/chat/ws']) {
    const socket = new ProgramSocket(`ws://${host}${path}`, { headers: forged })
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
    assert.equal(answer.statusCode, 401, `${path} was accepted`)
  }
}

/** The cookie opens the files of the app: the key is in none of them. */
async function searchFiles(room: Room, page: Page, cookie: string): Promise<void> {
  const key = await page.evaluate(() => localStorage.getItem('dragoman:key') ?? '')
  assert.match(key, /^[\w-]{43}$/)
  const { port, host } = new URL(room.server.url)
  for (const path of [
    '/',
    '/s/x',
    '/dashboard',
    '/nowhere',
    '/sign-in.js',
    '/worker.js',
    '/theme.js',
    '/?ticket=x',
  ]) {
    const { body, headers } = await send(Number(port), {
      method: 'GET',
      path,
      headers: { host, cookie, accept: 'text/html' },
    })
    assert.ok(!`${body}${JSON.stringify(headers)}`.includes(key), `${path} contains the key`)
  }
  await until(
    'the worker has cached something',
    async () => (await page.evaluate(() => caches.keys())).length > 0,
  )
  const kept = await page.evaluate(async () => {
    const cache = await caches.open('dragoman')
    const all = await Promise.all((await cache.keys()).map(async each => (await cache.match(each))?.text()))
    return all.join('\n')
  })
  assert.ok(!kept.includes(key), 'the worker has cached the key')
}

/** What a page of the other port can do itself, with the cookie that the browser sends along. */
async function tryFromPage(origin: string): Promise<readonly string[]> {
  const done: string[] = []
  const reach = async (what: string, init: RequestInit) => {
    const response = await fetch(`${origin}/api/sessions`, { credentials: 'include', ...init }).catch(
      () => null,
    )
    if (response?.ok === true) done.push(what)
  }
  await reach('read', {})
  await reach('wrote', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  await reach('guessed', { headers: { 'x-dragoman-key': 'x' } })
  const opens = (source: EventTarget) =>
    new Promise<boolean>(resolve => {
      source.addEventListener('open', () => resolve(true))
      source.addEventListener('error', () => resolve(false))
    })
  if (await opens(new EventSource(`${origin}/api/live/sessions`, { withCredentials: true })))
    done.push('streamed')
  if (await opens(new WebSocket(`${origin.replace('http', 'ws')}/api/ws`))) done.push('opened a socket')
  return done
}
