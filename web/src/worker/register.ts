import { ownScript } from '../safety/own-script.ts'

const announced = 'dragoman:new-version'
const leastPause = 60_000

let isNews = false

/** Whether a newer version of the app than this page is ready. */
export const hasNewVersion = (): boolean => isNews

/** Calls a listener when a newer version is ready. */
export function onNewVersion(listener: () => void): () => void {
  window.addEventListener(announced, listener)
  return () => window.removeEventListener(announced, listener)
}

function announce(): void {
  isNews = true
  window.dispatchEvent(new Event(announced))
}

/** Makes the app available offline, and checks for new versions when the user returns to the page. */
export function registerWorker(): void {
  // A file of an older version is gone: only reloading the page helps.
  window.addEventListener('vite:preloadError', announce)
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .register(ownScript('/worker.js'), { updateViaCache: 'none' })
    .then(watch, (error: Error) => console.warn(`The app won’t open offline: ${error.message}`))
}

function watch(registration: ServiceWorkerRegistration): void {
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'activated') void compare(worker)
    })
  })
  let last = performance.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - last < leastPause) return
    last = performance.now()
    // Without the server there is no newer version.
    registration.update().catch(() => undefined)
  })
}

/** The server may have sent the new version of the page already. */
async function compare(worker: ServiceWorker): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise<readonly string[]>(resolve => {
    port1.addEventListener('message', ({ data }) => resolve(data as readonly string[]), { once: true })
    port1.start()
  })
  worker.postMessage('files', [port2])
  const files = await answer
  const own = [...document.querySelectorAll<HTMLScriptElement>('script[type=module][src]')]
  if (own.some(({ src }) => !files.includes(new URL(src).pathname))) announce()
}
