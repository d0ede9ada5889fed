import { act, StrictMode, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from 'dragoman/client'
import { DragomanProvider } from 'dragoman/react'
import { onTestFinished, vi } from 'vitest'

const agents = [
  {
    name: 'scripted',
    title: 'Scripted agent',
    status: 'ready',
    advice: null,
    capabilities: { changedInput: true, denialReasons: true },
  },
]

/** The fake server: extra fields for each agent, and its replies to other calls. */
interface Server {
  readonly more?: object
  /** Null: as it knows its agents. */
  readonly answer?: (address: string, init?: RequestInit) => Response | null
}

/** Renders an element on its own page, with a server that knows only its agents by default. */
export async function render(element: ReactElement, { more = {}, answer = () => null }: Server = {}) {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  const fetch: typeof globalThis.fetch = async (url, init) =>
    answer(url as string, init) ?? Response.json({ agents: agents.map(agent => ({ ...agent, ...more })) })
  const client = createClient({ url: 'http://fake', fetch, WebSocket: null, storage: new Map() })
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  const root = createRoot(place)
  // What would still be done later must not outlive the test.
  onTestFinished(async () => {
    await act(async () => root.unmount())
    client.close()
    vi.useRealTimers()
  })
  await act(async () =>
    root.render(
      <StrictMode>
        <DragomanProvider client={client}>{element}</DragomanProvider>
      </StrictMode>,
    ),
  )
  await wait(10)
  const all = (role: string) => [...place.querySelectorAll<HTMLElement>(role)]
  const named = (role: string, name: string) =>
    all(role).find(each => (each.getAttribute('aria-label') ?? wordsOf(each)) === name)
  return {
    place,
    button: (name: string) => named('button', name) as HTMLButtonElement | undefined,
    field: (name: string) => named('textarea, input', name) as HTMLTextAreaElement | undefined,
    press: (name: string) => act(async () => named('button', name)?.click()),
    unmount: () => act(async () => root.unmount()),
  }
}

/** How long an element must be visible before it accepts a click. */
export const calm = 450

/** Advances the fake clock of the page. */
export const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

/** The accessible name of an element: text hidden from screen readers is left out. */
function wordsOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement
  copy.querySelectorAll('[aria-hidden]').forEach(each => each.remove())
  return copy.textContent.trim()
}

/** Types into a field as a user does. */
export async function type(
  field: HTMLTextAreaElement | HTMLInputElement | undefined,
  text: string,
): Promise<void> {
  if (field === undefined) throw new Error('There is no such field.')
  const prototype = Object.getPrototypeOf(field) as object
  await act(async () => {
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** Presses a key in an element. */
export const pressKey = (element: HTMLElement | undefined, key: string, more: KeyboardEventInit = {}) =>
  act(async () =>
    element?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })),
  )
