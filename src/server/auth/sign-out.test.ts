import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { eventually, openServed, type Served } from '../streams/served.fixture.ts'

/** What a browser that signed in sends, by a call and by a WebSocket. */
function browserOf({ dragoman, url }: Served) {
  const { cookie, key } = dragoman.inside.guard.signIns.current()
  const origin = { cookie: `dragoman-${new URL(url).port}=${cookie}`, origin: url }
  return {
    call: (path: string, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}${path}`, { headers: { ...origin, 'x-dragoman-key': key, ...more } }),
    socket: (path: string) =>
      new WebSocket(`${url.replace('http', 'ws')}${path}`, ['dragoman', `dragoman-key.${key}`], {
        headers: origin,
      }),
  }
}

describe('signing out', () => {
  it('[S11] ends the streams, sockets and tickets of every browser, and refuses them from then on', async () => {
    const served = await openServed()
    const session = await served.session('s')
    const browser = browserOf(served)
    const stream = await browser.call(`/api/sessions/${session}/entries`, { accept: 'text/event-stream' })
    expect(stream.status).toBe(200)
    const sockets = ['/api/ws', '/api/chat/ws'].map(path => browser.socket(path))
    for (const socket of sockets) await once(socket, 'open')
    expect(sockets.map(({ protocol }) => protocol)).toEqual(['dragoman', 'dragoman'])
    const { json: before } = await served.call('createTicket', {})
    const closed = sockets.map(socket => once(socket, 'close'))
    expect((await served.call('signOut', {})).json).toEqual({ signedOut: 'every browser' })
    for (const [code, reason] of (await Promise.all(closed)) as [number, Buffer][])
      expect([code, String(reason)]).toEqual([1001, expect.stringContaining('Every browser was signed out.')])
    expect(await stream.text()).toContain('event: draining')
    expect((await browser.call('/api/sessions')).status).toBe(401)
    expect((await browser.call('/')).status).toBe(401)
    for (const path of ['/api/ws', '/api/chat/ws']) {
      const [, refused] = (await once(browser.socket(path), 'unexpected-response')) as [
        unknown,
        { readonly statusCode: number },
      ]
      expect(refused.statusCode).toBe(401)
    }
    expect((await fetch(`${served.url}/?ticket=${before.ticket}`)).status).toBe(401)
    await eventually(() => served.dragoman.inside.parts.streams.count('websocket')).toBe(0)
  })

  it('[S11] refuses a call whose body is still being sent', async () => {
    const served = await openServed()
    const { guard } = served.dragoman.inside
    const { cookie, key } = guard.signIns.current()
    const { port } = new URL(served.url)
    const call = request(`${served.url}/api/tickets`, {
      method: 'POST',
      headers: {
        cookie: `dragoman-${port}=${cookie}`,
        'x-dragoman-key': key,
        origin: served.url,
        'content-type': 'application/json',
        'content-length': 2,
      },
    })
    const checked = vi.spyOn(guard, 'check')
    call.write('{')
    await eventually(() => checked.mock.calls.length).toBe(1)
    await served.call('signOut', {})
    call.end('}')
    const [{ statusCode }] = (await once(call, 'response')) as [{ readonly statusCode: number }]
    expect(statusCode).toBe(401)
  })

  it('[S11] keeps the token of programs valid, and a new link signs in again', async () => {
    const served = await openServed()
    await served.call('signOut', {})
    expect((await served.call('listSessions', {})).status).toBe(200)
    expect((await browserOf(served).call('/api/sessions')).status).toBe(200)
  })
})
