import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { giveFresh, giveKept, givePage, stock, tidy, type Keeper, type Shelf } from './keep.ts'

const here = 'http://127.0.0.1:4400'
const files = {
  core: ['/assets/app-2.js', '/theme.js'],
  all: ['/assets/app-2.js', '/theme.js', '/assets/lazy.js'],
}

/** A cache in memory, and a server with the given replies. */
function house(answers: Readonly<Record<string, Response | 'unreachable'>>) {
  const kept = new Map<string, Response>()
  const asked: string[] = []
  const address = (what: RequestInfo | URL) =>
    new URL(typeof what === 'object' && 'url' in what ? what.url : what, here)
  const shelf: Shelf = {
    match: what => Promise.resolve(kept.get(address(what).pathname)?.clone()),
    put: (what, response) => Promise.resolve(void kept.set(address(what).pathname, response)),
    delete: what => Promise.resolve(kept.delete(address(what).pathname)),
    keys: () => Promise.resolve([...kept.keys()].map(path => new Request(new URL(path, here)))),
  }
  const keeper: Keeper = {
    shelf,
    fetch: what => {
      const { pathname } = address(what)
      asked.push(pathname)
      const answer = answers[pathname] ?? new Response('no', { status: 404 })
      return answer === 'unreachable'
        ? Promise.reject(new TypeError('Failed to fetch'))
        : Promise.resolve(answer)
    },
  }
  return { keeper, kept, asked }
}

const ok = (text: string) => new Response(text)
const request = (path: string) => new Request(new URL(path, here))

describe('the cache of the service worker', () => {
  it('[W1] holds what the page needs, then the page itself, and nothing from another origin', async () => {
    const good = house({ '/': ok('page'), '/assets/app-2.js': ok('app'), '/theme.js': ok('theme') })
    await stock(good.keeper, files)
    expect([...good.kept.keys()]).toEqual(['/assets/app-2.js', '/theme.js', '/'])
    const stranger = new Response('Who are you?', { status: 401 })
    const bad = house({ '/': stranger, '/assets/app-2.js': ok('app'), '/theme.js': ok('theme') })
    await expect(stock(bad.keeper, files)).rejects.toThrow('Couldn’t cache /: the server answered 401.')
    expect(bad.kept.size).toBe(0)
    const broken = house({ '/': ok('page'), '/theme.js': ok('theme') })
    await expect(stock(broken.keeper, files)).rejects.toThrow('Couldn’t cache /assets/app-2.js')
    expect(broken.kept.has('/')).toBe(false)
  })

  it('[W1] drops files that a new version does not have', async () => {
    const { keeper, kept } = house({})
    for (const path of ['/', '/assets/app-1.js', '/assets/app-2.js', '/assets/lazy.js'])
      kept.set(path, ok(path))
    await tidy(keeper, files)
    expect([...kept.keys()]).toEqual(['/', '/assets/app-2.js', '/assets/lazy.js'])
  })

  it('[W1] serves the page only when the server cannot be reached; a refusal is shown and not cached', async () => {
    const away = house({ '/s/abc': 'unreachable' })
    await expect(givePage(away.keeper, request('/s/abc'))).rejects.toThrow('Failed to fetch')
    away.kept.set('/', ok('kept page'))
    expect(await (await givePage(away.keeper, request('/s/abc'))).text()).toBe('kept page')
    const stranger = house({ '/': new Response('Who are you?', { status: 401 }) })
    stranger.kept.set('/', ok('kept page'))
    expect(await (await givePage(stranger.keeper, request('/'))).text()).toBe('Who are you?')
    expect(await stranger.kept.get('/')?.text()).toBe('kept page')
    const proxied = house({ '/': new Response('Bad gateway', { status: 502 }) })
    expect((await givePage(proxied.keeper, request('/'))).status).toBe(502)
    proxied.kept.set('/', ok('kept page'))
    expect(await (await givePage(proxied.keeper, request('/'))).text()).toBe('kept page')
  })

  it('[W1] serves the page when the server does not answer in time', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { keeper, kept } = house({})
    const silent = { ...keeper, fetch: () => new Promise<never>(() => {}) }
    kept.set('/', ok('kept page'))
    const given = givePage(silent, request('/'))
    await vi.advanceTimersByTimeAsync(6000)
    expect(await (await given).text()).toBe('kept page')
  })

  it('[W1] works without space: requests are answered all the same', async () => {
    const { keeper } = house({ '/assets/lazy.js': ok('lazy') })
    const full = { ...keeper.shelf, put: () => Promise.reject(new Error('QuotaExceededError')) }
    const given = await giveKept({ ...keeper, shelf: full }, request('/assets/lazy.js'))
    expect(await given.text()).toBe('lazy')
  })

  it('[W1] grows by used files, never by a refusal', async () => {
    const { keeper, kept, asked } = house({
      '/assets/lazy.js': ok('lazy'),
      '/assets/app-2.js': new Response('no', { status: 401 }),
    })
    await giveKept(keeper, request('/assets/lazy.js'))
    expect(await (await giveKept(keeper, request('/assets/lazy.js'))).text()).toBe('lazy')
    expect(asked).toEqual(['/assets/lazy.js'])
    await giveKept(keeper, request('/assets/app-2.js'))
    expect([...kept.keys()]).toEqual(['/assets/lazy.js'])
  })

  it('[W1] serves the diagram page while there is no server', async () => {
    const answers: Record<string, Response | 'unreachable'> = { '/diagram.html': ok('new') }
    const { keeper, kept } = house(answers)
    kept.set('/diagram.html', ok('old'))
    expect(await (await giveFresh(keeper, request('/diagram.html'))).text()).toBe('new')
    answers['/diagram.html'] = 'unreachable'
    expect(await (await giveFresh(keeper, request('/diagram.html'))).text()).toBe('new')
    kept.clear()
    await expect(giveFresh(keeper, request('/diagram.html'))).rejects.toThrow('Failed to fetch')
  })
})
