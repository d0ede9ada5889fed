// @vitest-environment jsdom
import { act, type ReactElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readForeignAddress } from './foreign-address.ts'
import { ForeignImage } from './foreign-image.tsx'
import { ForeignLink } from './foreign-link.tsx'

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  HTMLDialogElement.prototype.showModal = function open() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
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
const button = () => place.querySelector<HTMLElement>('[role="button"]')
const dialog = () => document.querySelector('dialog')

describe('the address of a link', () => {
  it.each([
    ['https://example.org/a?b#c', 'example.org'],
    ['HTTP://EXAMPLE.org:8080', 'example.org:8080'],
    ['https://аррӏе.com', 'xn--80ak6aa92e.com'],
    ['https://good.example@evil.example/', 'evil.example'],
    ['https://evil.example\\@good.example', 'evil.example'],
    ['mailto:a@b.example?subject=x', 'a@b.example'],
  ])('[W2] %s is at %s', (written, host) => {
    expect(readForeignAddress(written)?.host).toBe(host)
  })

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    'vbscript:x',
    '//evil.example',
    'src/main.ts',
    '#top',
    '',
    'ftp://example.org',
    `https://example.org/${'a'.repeat(10_000)}`,
  ])('[W2] %s is not an address', written => {
    expect(readForeignAddress(written)).toBeNull()
  })

  it('[W2] has a warning when it is deceptive', () => {
    expect(readForeignAddress('https://a@b.example')?.warnings).toHaveLength(1)
    expect(readForeignAddress('http://xn--80ak6aa92e.com')?.warnings).toHaveLength(2)
    expect(readForeignAddress('http://localhost:3000')?.warnings).toEqual([])
  })
})

describe('an external link', () => {
  it('[W2] asks before it opens, and shows the address', () => {
    show(<ForeignLink address="https://аррӏе.com/path">Apple</ForeignLink>)
    expect(place.querySelector('[href]')).toBeNull()
    act(() => button()?.click())
    expect(dialog()?.open).toBe(true)
    expect(dialog()?.textContent).toContain('xn--80ak6aa92e.com')
    expect(dialog()?.textContent).toContain('https://xn--80ak6aa92e.com/path')
    const open = dialog()?.querySelector('a')
    expect(open?.getAttribute('href')).toBe('https://xn--80ak6aa92e.com/path')
    expect([open?.target, open?.rel]).toEqual(['_blank', 'noopener noreferrer'])
  })

  it('[W2] opens by key', () => {
    show(<ForeignLink address="https://example.org">x</ForeignLink>)
    act(() => {
      button()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    })
    expect(dialog()?.open).toBe(true)
  })

  it('[W2] keeps clicks in its dialog from the element around it', () => {
    const pressed = vi.fn<() => void>()
    show(
      <div onClick={pressed}>
        <ForeignLink address="https://example.org">x</ForeignLink>
      </div>,
    )
    act(() => button()?.click())
    pressed.mockClear()
    act(() => dialog()?.querySelector<HTMLElement>('button')?.click())
    expect(pressed).not.toHaveBeenCalled()
  })

  it('[W2] is plain text when it has no address, or is inside another link', () => {
    show(<ForeignLink address="src/main.ts">file</ForeignLink>)
    expect(place.innerHTML).toBe('<span title="src/main.ts">file</span>')
    show(
      <ForeignLink address="https://example.org">
        <ForeignLink address="https://example.net">inner</ForeignLink>
      </ForeignLink>,
    )
    expect(place.querySelectorAll('[role="button"]')).toHaveLength(1)
  })
})

describe('an external image', () => {
  it.each(['png', 'jpeg', 'gif', 'webp', 'avif'])('[W2] of type %s is shown when it is inline', kind => {
    show(<ForeignImage address={`data:image/${kind};base64,AAAA`} alt="dot" />)
    expect(place.querySelector('img')?.alt).toBe('dot')
  })

  it.each([
    'https://evil.example/pixel.png',
    'data:image/svg+xml;base64,AAAA',
    'data:image/png,plain',
    'data:text/html;base64,AAAA',
    'javascript:alert(1)',
    'pixel.png',
    '/api/sessions',
  ])('[W2] at %s is not loaded', address => {
    show(<ForeignImage address={address} alt="a pixel" />)
    expect(place.querySelector('img')).toBeNull()
    expect(place.textContent).toContain('a pixel')
  })

  it('[W2] names its host', () => {
    show(<ForeignImage address="https://evil.example/pixel.png" alt="" />)
    expect(button()?.textContent).toBe('Image (on evil.example)')
  })
})
