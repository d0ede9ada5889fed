import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

const files = join(import.meta.dirname, 'files')

let house: Opened
beforeAll(async () => {
  house = await openDragoman({ limits: { wrongTokens: 3 } })
})
afterAll(() => house[Symbol.asyncDispose]())

const stranger = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  house.send(path, { token: false, headers, method })

describe('a browser', () => {
  it('[S8] comes in by a ticket, once, and then by its cookie', async () => {
    const { json } = await house.call('createTicket', {})
    const peek = await stranger(`/?ticket=${json.ticket}`, {}, 'HEAD')
    expect(peek.status).toBe(401)
    const welcome = await stranger(`/?ticket=${json.ticket}`)
    expect([welcome.status, welcome.headers.get('location')]).toEqual([303, '/'])
    const [cookie = '', ...rest] = (welcome.headers.get('set-cookie') ?? '').split('; ')
    expect(cookie).toMatch(/^dragoman-4400=/)
    expect(rest).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
    expect((await stranger('/', { cookie })).status).toBe(200)
    expect((await stranger('/api/sessions', { cookie })).status).toBe(200)
    const again = await stranger(`/?ticket=${json.ticket}`)
    expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null])
    expect(await again.text()).toContain('This address was used before')
  })

  it('[S8] led here by another site starts afresh, because a strict cookie would not follow', async () => {
    const { json } = await house.call('createTicket', {})
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    const welcome = await stranger(`/?ticket=${json.ticket}`, link)
    expect(welcome.status).toBe(200)
    expect(welcome.headers.get('set-cookie')).toContain('dragoman-4400=')
    expect(await welcome.text()).toContain('http-equiv="refresh" content="0;url=/"')
  })

  it('[S8] tickets are good for the page only', async () => {
    const { json } = await house.call('createTicket', {})
    expect((await stranger(`/api/sessions?ticket=${json.ticket}`)).status).toBe(401)
    expect((await stranger(`/?ticket=${json.ticket}`)).status).toBe(303)
  })

  it('[S9] tickets cannot be guessed for long', async () => {
    const statuses = []
    for (let tries = 0; tries < 5; tries++) statuses.push((await stranger(`/?ticket=guess-${tries}`)).status)
    expect(statuses).toContain(429)
  })

  it('[S2] that is not known is told how to come in, and nothing else', async () => {
    const response = await stranger('/')
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    const text = await response.text()
    expect(text).toContain('dragoman open')
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
    expect(text).not.toMatch(/<script|src=|href="\/page/)
    expect((await stranger('/page/page.js')).status).toBe(401)
  })
})

describe('the page', () => {
  it('[S21] runs nothing but its own files', async () => {
    const response = await house.send('/')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    const text = await response.text()
    expect(text).not.toMatch(
      /<script(?! type="module" src="\/page\/page\.js"><\/script>)|\son\w+=|<style|style=/,
    )
    expect(text).toContain('No sessions yet')
    for (const [, file = ''] of text.matchAll(/(?:src|href)="(\/page\/[^"]+)"/g))
      expect((await house.send(file)).status).toBe(200)
    expect((await house.send('/page/parts.js')).headers.get('content-type')).toBe(
      'text/javascript; charset=utf-8',
    )
  })

  it('[S21] makes texts of what agents say, never elements', () => {
    const scripts = readdirSync(files).filter(name => name.endsWith('.js'))
    expect(scripts.length).toBe(2)
    for (const name of scripts)
      expect(readFileSync(join(files, name), 'utf8')).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|setAttribute\('(?:src|href|on)/,
      )
  })
})
