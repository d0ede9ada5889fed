import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

const web = mkdtempSync(join(tmpdir(), 'dragoman-app-'))

let server: Opened
beforeAll(async () => {
  mkdirSync(join(web, 'assets'))
  for (const name of ['index.html', 'worker.js', 'diagram.html', 'assets/app-1.js', 'built-from'])
    writeFileSync(join(web, name), `<!-- ${name} -->`)
  server = await openDragoman({ web, limits: { wrongTokens: 3 } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(web, { recursive: true })
})

const stranger = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.send(path, { token: false, headers, method })

describe('the sign-in of a browser', () => {
  it('[S8] works with a ticket once, and then with the cookie', async () => {
    const { json } = await server.call('createTicket', {})
    const peek = await stranger(`/?ticket=${json.ticket}`, {}, 'HEAD')
    expect(peek.status).toBe(401)
    const welcome = await stranger(`/?ticket=${json.ticket}`)
    expect([welcome.status, welcome.headers.get('location')]).toEqual([200, null])
    const [cookie = '', ...rest] = (welcome.headers.get('set-cookie') ?? '').split('; ')
    expect(cookie).toMatch(/^dragoman-4400=/)
    expect(rest).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
    expect((await stranger('/', { cookie })).status).toBe(200)
    const [, key = ''] = /<meta name="dragoman-key" content="([\w-]{43})">/.exec(await welcome.text()) ?? []
    expect((await stranger('/api/sessions', { cookie, 'x-dragoman-key': key })).status).toBe(200)
    expect((await stranger('/api/sessions', { cookie })).status).toBe(401)
    const again = await stranger(`/?ticket=${json.ticket}`)
    expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null])
    expect(await again.text()).toContain('This sign-in link was already used')
  })

  it('[S11] does not put the key into any page or file that the cookie opens', async () => {
    const { cookie, key } = server.dragoman.inside.guard.signIns.current()
    const headers = { cookie: `dragoman-4400=${cookie}`, accept: 'text/html' }
    const paths = ['/', '/s/x', '/dashboard', '/nowhere', '/assets/app-1.js', '/worker.js', '/diagram.html']
    for (const path of paths) {
      const response = await stranger(path, headers)
      expect([path, [200, 404].includes(response.status)]).toEqual([path, true])
      expect(await response.text()).not.toContain(key)
      expect(JSON.stringify([...response.headers])).not.toContain(key)
    }
  })

  it('[S8] works from a link on another site, although a strict cookie is not sent on a redirect', async () => {
    const { json } = await server.call('createTicket', {})
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    const welcome = await stranger(`/?ticket=${json.ticket}`, link)
    expect(welcome.status).toBe(200)
    expect(welcome.headers.get('set-cookie')).toContain('dragoman-4400=')
    expect(await welcome.text()).toContain('<script src="/sign-in.js" defer></script>')
    expect(welcome.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'sha256-")
  })

  it('[S8] accepts tickets only for the page', async () => {
    const { json } = await server.call('createTicket', {})
    expect((await stranger(`/api/sessions?ticket=${json.ticket}`)).status).toBe(401)
    expect((await stranger(`/?ticket=${json.ticket}`)).status).toBe(200)
  })

  it('[S9] limits wrong tickets', async () => {
    const statuses = []
    for (let tries = 0; tries < 5; tries++) statuses.push((await stranger(`/?ticket=guess-${tries}`)).status)
    expect(statuses).toContain(429)
  })

  it('[S2] shows an unknown browser only how to sign in', async () => {
    const response = await stranger('/')
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    const text = await response.text()
    expect(text).toContain('dragoman open')
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
    expect(text).not.toMatch(/<script|src=|href="\/assets/)
  })
})

describe('the app', () => {
  it('[S21] runs only its own files, on every page', async () => {
    for (const place of [
      '/',
      '/s/some-session',
      '/s/some-session/m/a%2Fb',
      '/dashboard',
      '/approvals',
      '/settings',
    ]) {
      const response = await server.send(place)
      expect([place, response.status]).toEqual([place, 200])
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(
        /default-src 'none';.* script-src 'self'; style-src 'self';.* connect-src 'self'/,
      )
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types dragoman")
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
    }
  })

  it('[S21] is served only to signed-in browsers, and so are its files', async () => {
    for (const place of ['/s/some-session', '/dashboard', '/approvals']) {
      const response = await stranger(place)
      expect([response.status, await response.text()]).toEqual([
        401,
        expect.stringContaining('dragoman open'),
      ])
    }
    for (const file of ['/assets/app-1.js', '/worker.js', '/diagram.html'])
      expect((await stranger(file)).status).toBe(401)
  })

  it('[S21] lets browsers cache files forever only if their names contain a content hash', async () => {
    const kept = await server.send('/assets/app-1.js')
    expect([kept.status, kept.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(kept.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect((await server.send('/worker.js')).headers.get('cache-control')).toBe('no-store')
    for (const wrong of ['/assets/nothing.js', '/built-from', '/assets/../built-from', '/__proto__'])
      expect((await server.send(wrong)).status).toBe(404)
  })

  it('[W1] shows a page for an unknown path, and gives programs a problem', async () => {
    const accept = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const lost = await server.send('/dashbord', { headers: accept })
    expect([lost.status, await lost.text()]).toEqual([404, '<!-- index.html -->'])
    expect(lost.headers.get('content-security-policy')).toContain('trusted-types dragoman')
    for (const [path, headers] of [
      ['/dashbord', {}],
      ['/api/nothing', accept],
    ] as const) {
      const { status, headers: received } = await server.send(path, { headers })
      expect([status, received.get('content-type')]).toEqual([404, 'application/problem+json'])
    }
    expect((await stranger('/dashbord', accept)).status).toBe(401)
  })

  it('[O1] shows how to build it if it is not built', async () => {
    await using plain = await openDragoman()
    const response = await plain.send('/')
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('npm run build:web'),
    ])
  })
})
