import type { AppFiles } from './route.ts'

/** The part of the Cache API that is used here. */
export type Shelf = Pick<Cache, 'match' | 'put' | 'delete' | 'keys'>

/** The source and the cache. */
export interface Keeper {
  readonly shelf: Shelf
  readonly fetch: typeof fetch
}

/** The cache key of the page, for every address. */
const page = '/'

/** Only successful direct responses: no errors, redirects or other hosts. */
const isGood = ({ status, redirected, type }: Response) => status === 200 && !redirected && type !== 'opaque'

/** A reverse proxy that cannot reach the server. */
const isUnreachable = ({ status }: Response) => status >= 502 && status <= 504

/** Caches everything that the page needs to open, the page last; if the page is refused, nothing is cached. */
export async function stock({ shelf, fetch: ask }: Keeper, { core }: AppFiles): Promise<void> {
  const opened = await anew(ask, page)
  // Each is read before the next ones are requested: a browser has a limited number of connections.
  await Promise.all(core.map(async path => shelf.put(path, await anew(ask, path))))
  await shelf.put(page, opened)
}

async function anew(ask: typeof fetch, path: string): Promise<Response> {
  const response = await ask(path, { cache: 'no-cache' })
  if (isGood(response)) return response
  throw new Error(`Couldn’t cache ${path}: the server answered ${response.status}.`)
}

/** Deletes the files of older versions from the cache. */
export async function tidy({ shelf }: Keeper, { all }: AppFiles): Promise<void> {
  const belongs = new Set([page, ...all])
  for (const request of await shelf.keys())
    if (!belongs.has(new URL(request.url).pathname)) await shelf.delete(request)
}

/** How long the server may take for the page, which is small, before the cached one is shown. */
const patience = 5000

/** The page from the server, whatever its status; the cached one when the server can't be reached. */
export async function givePage({ shelf, fetch: ask }: Keeper, request: Request): Promise<Response> {
  const answer = ask(request).catch((error: Error) => error)
  const inTime = await Promise.race([answer, pause(patience)])
  if (inTime instanceof Response && !isUnreachable(inTime)) return inTime
  const kept = await shelf.match(page)
  if (kept !== undefined) return kept
  const late = await answer
  if (late instanceof Error) throw late
  return late
}

const pause = (ms: number) =>
  new Promise<undefined>(resolve => {
    setTimeout(() => resolve(undefined), ms)
  })

/** From the cache; otherwise from the server, and then cached. */
export async function giveKept(keeper: Keeper, request: Request): Promise<Response> {
  return (await keeper.shelf.match(request.url)) ?? (await giveAndKeep(keeper, request))
}

/** From the server, or from the cache where it cannot be reached. */
export async function giveFresh(keeper: Keeper, request: Request): Promise<Response> {
  try {
    return await giveAndKeep(keeper, request)
  } catch (error) {
    const kept = await keeper.shelf.match(request.url)
    if (kept !== undefined) return kept
    throw error
  }
}

async function giveAndKeep({ shelf, fetch: ask }: Keeper, request: Request): Promise<Response> {
  const response = await ask(request)
  // When storage is full, the response is still returned.
  if (isGood(response)) await shelf.put(request.url, response.clone()).catch(() => undefined)
  return response
}
