import { giveFresh, giveKept, givePage, stock, tidy, type Keeper } from './keep.ts'
import { wayOf, type AppFiles } from './route.ts'

// The types of the DOM know pages, not service workers; these are the few things that one has and a page has not.
interface Lasting {
  waitUntil(work: Promise<unknown>): void
}
interface Fetching extends Lasting {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
interface Scope {
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}

/** The files of the app; inserted by the build, so that each version has its own worker. */
declare const APP_FILES: AppFiles

const scope = globalThis as unknown as Scope
const files = APP_FILES
const keeper = async (): Promise<Keeper> => ({
  shelf: await caches.open('dragoman'),
  fetch: (...given) => fetch(...given),
})

scope.addEventListener('install', event => {
  event.waitUntil(keeper().then(all => stock(all, files)))
  void scope.skipWaiting()
})

scope.addEventListener('activate', event => {
  event.waitUntil(keeper().then(all => tidy(all, files)))
  event.waitUntil(scope.clients.claim())
})

const gives = { page: givePage, kept: giveKept, fresh: giveFresh } as const

scope.addEventListener('fetch', event => {
  const way = wayOf(event.request, location.origin, files)
  if (way !== 'server') event.respondWith(keeper().then(all => gives[way](all, event.request)))
})

/** A page asks for the files of the newest version, to learn whether it is up to date. */
scope.addEventListener('message', ({ ports }) => ports[0]?.postMessage(files.core))
