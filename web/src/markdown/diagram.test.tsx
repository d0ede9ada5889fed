// @vitest-environment jsdom
import { act, type ReactElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Diagram } from './diagram.tsx'

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  window.matchMedia ??= () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList
})

let place: HTMLElement
let root: Root
beforeEach(() => {
  place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
})
afterEach(() => {
  act(() => root.unmount())
  place.remove()
})

const show = (element: ReactElement) => act(() => root.render(element))
const frame = () => place.querySelector('iframe')
const send = (
  data: unknown,
  source: Window | null | undefined = frame()?.contentWindow,
  // That of a frame with an opaque origin.
  origin = 'null',
) =>
  act(() => {
    window.dispatchEvent(new MessageEvent('message', { data, source: source ?? null, origin }))
  })

describe('a diagram', () => {
  it('[W2] shows its source while it streams, and is drawn in its own frame when it is complete', () => {
    show(<Diagram text="graph LR" open />)
    expect(frame()).toBeNull()
    expect(place.textContent).toContain('graph LR')
    show(<Diagram text="graph LR" open={false} />)
    expect([frame()?.getAttribute('src'), frame()?.title]).toEqual(['/diagram.html', 'Diagram'])
  })

  it('[W2] takes the height that it needs, and shows its source on request', () => {
    show(<Diagram text="graph TB" open={false} />)
    expect(place.querySelector('[role=status]')?.textContent).toBe('Drawing the diagram…')
    send({ type: 'ready' })
    expect(place.querySelector('[role=status]')).not.toBeNull()
    send({ type: 'drawn', height: 321 })
    expect(frame()?.style.height).toBe('321px')
    expect(place.querySelector('[role=status]')).toBeNull()
    act(() => place.querySelector('button')?.click())
    expect(frame()).toBeNull()
    expect(place.textContent).toContain('graph TB')
  })

  it('[W2] that was drawn is a picture when the user scrolls back, in the colors it was drawn in', () => {
    const picture = {
      type: 'picture',
      theme: 'light',
      svg: '<svg>"#</svg>',
      width: 100,
      height: 40,
      words: 'A, B',
    }
    show(<Diagram text="graph BT" open={false} />)
    send({ ...picture, theme: 'dark' }, window)
    send(picture)
    expect(frame()).not.toBeNull()
    show(<p />)
    show(<Diagram text="graph BT" open={false} />)
    const { src, alt, width, height } = place.querySelector('img') ?? {}
    expect({ src, alt, width, height, frame: frame() }).toEqual({
      src: 'data:image/svg+xml;charset=utf-8,%3Csvg%3E%22%23%3C%2Fsvg%3E',
      alt: 'Diagram: A, B',
      width: 100,
      height: 40,
      frame: null,
    })
  })

  it('[R3] accepts messages only from its own frame', () => {
    show(<Diagram text="graph RL" open={false} />)
    send({ type: 'drawn', height: 321 }, window)
    send({ type: 'drawn', height: 321 }, null)
    send({ type: 'drawn', height: 321 }, frame()?.contentWindow, 'https://evil.example')
    send({ type: 'drawn', height: 321 }, frame()?.contentWindow, location.origin)
    expect(frame()?.style.height).toBe('')
  })

  it('[W2] that cannot be drawn shows its source, with a message', () => {
    show(<Diagram text="graph nonsense" open={false} />)
    send({ type: 'failed', trouble: 'Parse error on line 1' })
    expect(frame()).toBeNull()
    expect(place.textContent).toContain('Couldn’t draw this diagram. Here is its source.')
    expect(place.textContent).toContain('graph nonsense')
    show(<Diagram text={'a'.repeat(60_000)} open={false} />)
    expect(place.textContent).toContain('The diagram is too long.')
  })
})
