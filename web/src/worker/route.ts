/** The app's own files, as they were built. */
export interface AppFiles {
  /** The files the page needs to open: cached from the start. */
  readonly core: readonly string[]
  /** All of them; the others are cached once they were used. */
  readonly all: readonly string[]
}

/** The parts of a request that matter here. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly mode: string
}

/**
 * Who answers a request. `page`: the server, or the cached page when it can't be reached. `kept`: the cache, or
 * the server, which is then cached. `fresh`: the server, or the cache. `server`: only the server.
 */
export type Way = 'page' | 'kept' | 'fresh' | 'server'

const places = /^\/($|s\/|(dashboard|approvals|settings)$)/

/** Decides who answers. API calls, tickets and everything that is not a file of the app go to the server only. */
export function wayOf({ method, url, mode }: Asked, origin: string, { core, all }: AppFiles): Way {
  const { origin: host, pathname, searchParams } = new URL(url)
  if (method !== 'GET' || host !== origin || searchParams.has('ticket')) return 'server'
  if (mode === 'navigate' && places.test(pathname)) return 'page'
  if (!all.includes(pathname)) return 'server'
  return pathname.startsWith('/assets/') || core.includes(pathname) ? 'kept' : 'fresh'
}
