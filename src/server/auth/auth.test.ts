import { describe, expect, it } from 'vitest'
import { isDragomanError, type ErrorCode } from '../../protocol/error.ts'
import { defaultServerLimits } from '../limits.ts'
import { cookieName, readCookie, setCookie } from './cookie.ts'
import { createGuard, createRateLimit } from './guard.ts'
import { createHosts } from './host-and-origin.ts'
import { factsOfRequest, type RequestFacts } from './request-facts.ts'
import { createSignIns, seedInMemory } from './sign-ins.ts'
import { createTickets } from './tickets.ts'
import { checkToken, isSame, newToken } from './token.ts'

const token = 'a-token-of-sixteen-or-more'
const host = '127.0.0.1:4400'
const bearer = { authorization: `Bearer ${token}` }
const signIn = createSignIns(token, seedInMemory()).current()
const cookie = { cookie: `dragoman-4400=${signIn.cookie}` }
const browser = { ...cookie, 'x-dragoman-key': signIn.key }
const ours = { origin: `http://${host}` }

interface Told extends Readonly<Record<string, string>> {}

function facts(headers: Told, init: { method?: string; path?: string; body?: string } = {}): RequestFacts {
  const { method = 'GET', path = '/api/sessions', body } = init
  const request = new Request(`http://${host}${path}`, {
    method,
    headers: { host, ...headers },
    ...(body !== undefined && { body }),
  })
  return factsOfRequest(request, '192.0.2.1')
}

const newGuard = (elapsed = () => 0, seed = seedInMemory()) =>
  createGuard({
    token,
    hosts: createHosts([host, 'localhost:4400']),
    limits: defaultServerLimits,
    seed,
    now: () => 0,
    elapsed,
  })

function refusal(guarded: RequestFacts, guard = newGuard()): ErrorCode | null {
  try {
    guard.check(guarded)
    return null
  } catch (error) {
    if (isDragomanError(error)) return error.code
    throw error
  }
}

describe('the guard', () => {
  it('[S2] accepts the token, and the cookie and key that were derived from it', () => {
    expect(refusal(facts(bearer))).toBe(null)
    expect(refusal(facts({ authorization: `bearer  ${token}` }))).toBe(null)
    expect(refusal(facts(browser))).toBe(null)
    expect(refusal(facts({ ...browser, ...ours }, { method: 'POST' }))).toBe(null)
    expect(refusal(facts({}, { path: '/livez' }))).toBe(null)
  })

  it('[S2] refuses everyone else', () => {
    expect(refusal(facts({}))).toBe('not-authenticated')
    for (const wrong of ['', 'x', token.slice(1), `${token}x`, token.toUpperCase(), 'ü'])
      expect(refusal(facts({ authorization: `Bearer ${wrong}` }))).toBe('not-authenticated')
    expect(refusal(facts({ authorization: token }))).toBe('not-authenticated')
    expect(refusal(facts({ authorization: `Basic ${btoa(`x:${token}`)}` }))).toBe('not-authenticated')
    expect(refusal(facts({ cookie: `dragoman-4400=${token}` }))).toBe('not-authenticated')
    expect(refusal(facts({ ...browser, cookie: `dragoman-4401=${signIn.cookie}` }))).toBe('not-authenticated')
    // With a wrong token, a valid cookie does not help.
    expect(refusal(facts({ authorization: 'Bearer wrong', ...browser }))).toBe('not-authenticated')
    expect(refusal(facts({}, { path: `/api/sessions?token=${token}` }))).toBe('not-authenticated')
  })

  it('[S4] compares host names exactly', () => {
    const hosts = [
      'evil.example',
      '127.0.0.1',
      '127.0.0.1:4401',
      '127.0.0.1.evil.example:4400',
      'localhost',
      '0.0.0.0:4400',
      '[::1]:4400',
    ]
    for (const other of hosts) expect(refusal(facts({ ...bearer, host: other })), other).toBe('not-allowed')
    expect(refusal(facts({ ...bearer, host: 'LOCALHOST:4400' }))).toBe(null)
    expect(refusal({ ...facts(bearer), host: null })).toBe('not-allowed')
    expect(refusal(facts({ host: 'evil.example' }, { path: '/livez' }))).toBe('not-allowed')
  })

  it('[S5] compares origins exactly', () => {
    const origins = [
      'http://evil.example',
      'null',
      `http://${host}.evil.example`,
      `http://${host}@evil.example`,
      'http://localhost',
      `file://${host}`,
      `http://${host}/`,
      `ws://${host}`,
    ]
    for (const origin of origins) expect(refusal(facts({ ...bearer, origin })), origin).toBe('not-allowed')
    expect(refusal(facts({ ...bearer, origin: 'http://LOCALHOST:4400' }))).toBe(null)
  })

  it('[S5] refuses a page with another scheme than the server’s', () => {
    const own = (origin: string, scheme: RequestFacts['scheme']) =>
      refusal({ ...facts({ ...bearer, origin }), scheme })
    expect(own(`http://${host}`, 'http')).toBe(null)
    expect(own(`https://${host}`, 'https')).toBe(null)
    expect(own(`https://${host}`, 'http')).toBe('not-allowed')
    expect(own(`http://${host}`, 'https')).toBe('not-allowed')
    expect(factsOfRequest(new Request(`https://${host}/`), '').scheme).toBe('https')
  })

  it('[S11] the cookie alone opens the app and nothing else', () => {
    const guard = newGuard()
    expect(() => guard.checkApp(facts(cookie))).not.toThrow()
    expect(() => guard.checkApp(facts({}))).toThrow('Authentication is required')
    expect(() => guard.checkApp(facts({ cookie: `dragoman-4400=${signIn.key}` }))).toThrow('not signed in')
    expect(refusal(facts(cookie))).toBe('not-authenticated')
    expect(refusal(facts({ ...cookie, ...ours }, { method: 'POST' }))).toBe('not-authenticated')
    for (const key of ['', 'x', signIn.cookie, token, `${signIn.key}x`, signIn.key.toLowerCase()])
      expect(refusal(facts({ ...cookie, 'x-dragoman-key': key })), key).toBe('not-authenticated')
    // Nor the key without the cookie: it is readable for scripts, and the cookie is not.
    expect(refusal(facts({ 'x-dragoman-key': signIn.key }))).toBe('not-authenticated')
    // A cookie of the same name that another port set changes nothing.
    const tossed = `dragoman-4400=junk; dragoman-4400=${signIn.cookie}; dragoman-4400=`
    expect(refusal(facts({ ...browser, cookie: tossed }))).toBe(null)
  })

  it('[S11] accepts the key of a WebSocket only as a subprotocol', () => {
    const upgrade = (headers: Told) =>
      refusal({ ...facts({ ...cookie, ...ours, ...headers }), isUpgrade: true })
    const offering = (protocols: string) => upgrade({ 'sec-websocket-protocol': protocols })
    expect(offering(`dragoman, dragoman-key.${signIn.key}`)).toBe(null)
    expect(offering(`dragoman-key.${signIn.key}`)).toBe(null)
    expect(upgrade({})).toBe('not-authenticated')
    for (const wrong of [
      'dragoman',
      `dragoman, ${signIn.key}`,
      'dragoman-key.',
      `dragoman-key.${signIn.cookie}`,
    ])
      expect(offering(wrong), wrong).toBe('not-authenticated')
    expect(upgrade({ 'x-dragoman-key': signIn.key })).toBe('not-authenticated')
    expect(refusal(facts({ ...cookie, 'sec-websocket-protocol': `dragoman-key.${signIn.key}` }))).toBe(
      'not-authenticated',
    )
  })

  it('[S11] signing out, or another token, signs out every browser for as long as the seed is stored', () => {
    const seed = seedInMemory()
    const guard = newGuard(() => 0, seed)
    expect(refusal(facts(browser), guard)).toBe(null)
    guard.signIns.end()
    expect(refusal(facts(browser), guard)).toBe('not-authenticated')
    expect(() => guard.checkApp(facts(cookie))).toThrow('not signed in')
    expect(
      refusal(
        facts(browser),
        newGuard(() => 0, seed),
      ),
    ).toBe('not-authenticated')
    expect(refusal(facts(bearer), guard)).toBe(null)
    const { cookie: other, key } = guard.signIns.current()
    const again = { cookie: `dragoman-4400=${other}`, 'x-dragoman-key': key }
    expect(refusal(facts(again), guard)).toBe(null)
    const rotated = createSignIns('another-token-of-sixteen', seed).current()
    expect([rotated.cookie, rotated.key]).not.toContain(other)
    expect([rotated.cookie, rotated.key]).not.toContain(key)
  })

  it('[S5] checks the fetch metadata of browsers', () => {
    const from = (site: string, mode = 'cors', dest = 'empty') => ({
      'sec-fetch-site': site,
      'sec-fetch-mode': mode,
      'sec-fetch-dest': dest,
    })
    expect(refusal(facts({ ...browser, ...from('cross-site') }))).toBe('not-allowed')
    expect(refusal(facts({ ...browser, ...from('same-site', 'no-cors') }))).toBe('not-allowed')
    expect(refusal(facts({ ...browser, ...from('cross-site', 'navigate', 'document') }))).toBe('not-allowed')
    expect(refusal(facts({ ...browser, ...from('same-origin') }))).toBe(null)
    expect(refusal(facts({ ...browser, ...from('cross-site', 'navigate', 'document') }, { path: '/' }))).toBe(
      null,
    )
    expect(refusal(facts({ ...browser, ...from('cross-site', 'navigate', 'iframe') }, { path: '/' }))).toBe(
      'not-allowed',
    )
  })

  it('[S6] refuses changes by a browser without an Origin', () => {
    for (const method of ['POST', 'PATCH', 'DELETE', 'PUT'])
      expect(refusal(facts(browser, { method }))).toBe('not-allowed')
    const offered = { ...cookie, 'sec-websocket-protocol': `dragoman, dragoman-key.${signIn.key}` }
    expect(refusal({ ...facts(offered), isUpgrade: true })).toBe('not-allowed')
    expect(refusal({ ...facts({ ...offered, ...ours }), isUpgrade: true })).toBe(null)
    expect(refusal({ ...facts(bearer), isUpgrade: true })).toBe(null)
  })

  it('[S6] accepts changes only as JSON', () => {
    const post = (type?: string, body?: string) =>
      refusal(
        facts(
          {
            ...bearer,
            ...(type !== undefined && { 'content-type': type }),
            ...(body && { 'content-length': '2' }),
          },
          { method: 'POST' },
        ),
      )
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'text/plain; x=application/json',
    ])
      expect(post(type, '{}'), type).toBe('wrong-content-type')
    expect(post(undefined, '{}')).toBe('wrong-content-type')
    expect(post('text/plain')).toBe('wrong-content-type')
    expect(post('application/json', '{}')).toBe(null)
    expect(post('Application/JSON; charset=utf-8', '{}')).toBe(null)
    expect(post()).toBe(null)
  })

  it('[S9] limits only the address that guesses', () => {
    let time = 0
    const guard = newGuard(() => time)
    const guess = () => refusal(facts({ authorization: 'Bearer guess' }), guard)
    for (let tries = 0; tries < 60; tries++) expect(guess()).toBe('not-authenticated')
    expect(guess()).toBe('too-many-attempts')
    expect(refusal(facts({ cookie: 'dragoman-4400=x' }), guard)).toBe('too-many-attempts')
    expect(() => guard.redeem(facts({}), 'guess')).toThrow('Too many wrong tokens')
    expect(refusal(facts(bearer), guard)).toBe(null)
    expect(refusal(facts({}), guard)).toBe('not-authenticated')
    expect(refusal({ ...facts({ authorization: 'Bearer guess' }), address: '192.0.2.2' }, guard)).toBe(
      'not-authenticated',
    )
    time += 1000
    expect(guess()).toBe('not-authenticated')
    expect(guess()).toBe('too-many-attempts')
  })
})

describe('tokens, tickets and cookies', () => {
  it('[S2] a token is long and valid in a header', () => {
    expect(newToken()).toMatch(/^[\w-]{43}$/)
    expect(newToken()).not.toBe(newToken())
    for (const bad of [
      '',
      'fifteen-letters',
      'with spaces in between',
      'line\nbreaks-in-it-too',
      'ü'.repeat(20),
      'x'.repeat(513),
    ])
      expect(() => checkToken(bad), bad).toThrow('The token must have 16 to 512')
    expect(() => checkToken('sixteen-letters!')).not.toThrow()
  })

  it('[S2] tokens of any length can be compared', () => {
    expect(isSame('a', 'a')).toBe(true)
    expect(isSame('a', 'a'.repeat(1000))).toBe(false)
    expect(isSame('', 'a')).toBe(false)
  })

  it('[S8] a ticket works once, for a while', () => {
    let time = 1000
    const clock = () => time
    const tickets = createTickets(300_000, { now: clock, elapsed: clock })
    const first = tickets.make()
    const second = tickets.make()
    expect(first.expiresAt).toBe(301_000)
    expect(tickets.redeem(first.ticket)).toBe(true)
    expect(tickets.redeem(first.ticket)).toBe(false)
    expect(tickets.redeem('guess')).toBe(false)
    time += 300_000
    expect(tickets.redeem(second.ticket)).toBe(false)
  })

  it('[S8] a ticket expires even if a clock is set back or stands still', () => {
    let [time, elapsed] = [500_000, 0]
    const tickets = createTickets(300_000, { now: () => time, elapsed: () => elapsed })
    const [first, second] = [tickets.make(), tickets.make()]
    time -= 5 * 24 * 3600 * 1000
    elapsed += 299_999
    expect(tickets.redeem(first.ticket)).toBe(true)
    elapsed += 1
    expect(tickets.redeem(second.ticket)).toBe(false)
    const asleep = tickets.make()
    time += 300_000
    expect(tickets.redeem(asleep.ticket)).toBe(false)
  })

  it('[S8] the number of tickets is limited', () => {
    const tickets = createTickets(300_000, { now: () => 0, elapsed: () => 0 })
    const first = tickets.make()
    for (let more = 0; more < 1000; more++) tickets.make()
    expect(tickets.redeem(first.ticket)).toBe(false)
    expect(tickets.redeem(tickets.make().ticket)).toBe(true)
  })

  it('[S6] the cookie reveals neither the token nor the key, and other sites cannot send it', () => {
    const { cookie: value, key } = signIn
    expect(value).not.toContain(token)
    expect(value).not.toBe(key)
    expect(setCookie(host, value, false)).toMatch(
      /^dragoman-4400=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    )
    expect(setCookie('x.example', value, true)).toMatch(/^dragoman-80=.*; Secure$/)
    expect(cookieName('[::1]:4400')).toBe('dragoman-4400')
    expect(readCookie(`a=1; dragoman-4400=x;dragoman-4400=y; xdragoman-4400=z`, 'dragoman-4400')).toEqual([
      'x',
      'y',
    ])
    expect(readCookie(null, 'dragoman-4400')).toEqual([])
  })

  it('[S9] counts tries by address, for a limited number of addresses', () => {
    let time = 0
    const limit = createRateLimit(2, () => time)
    expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([true, true, false])
    time -= 5000
    expect(limit.take('a')).toBe(false)
    const others = Array.from({ length: 25_000 }, (_, at) => limit.take(`address-${at}`))
    expect(others.every(Boolean)).toBe(true)
    time += 10_000
    expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([true, true, false])
  })
})
