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

/** What a test says of the server: what is told of each agent, and what it answers to other calls. */
interface Server {
  readonly more?: object
  /** Null: as it knows its agents. */
  readonly answer?: (address: string) => Response | null
}

/** Shows something on a page of its own, with a server that knows only its agents unless told. */
export async function render(element: ReactElement, { more = {}, answer = () => null }: Server = {}) {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  const fetch: typeof globalThis.fetch = async url =>
    answer(url as string) ?? Response.json({ agents: agents.map(agent => ({ ...agent, ...more })) })
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

/** As long as something must stand there before it can be pressed. */
export const calm = 450

/** Lets time pass on the page's clock, which stands still otherwise. */
export const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

/** The words that make a name: what is hidden from screen readers is none of it. */
function wordsOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement
  copy.querySelectorAll('[aria-hidden]').forEach(each => each.remove())
  return copy.textContent.trim()
}

/** Types into a field as a person does. */
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
