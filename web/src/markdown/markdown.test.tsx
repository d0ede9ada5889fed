// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { anyText, cutText } from './any-text.fixture.ts'
import { Markdown, mostShown } from './markdown.tsx'

// Formulas are loaded lazily; here they stay as their source.
vi.mock('./maths/maths.tsx', () => ({ Maths: ({ raw }: { readonly raw: string }) => <code>{raw}</code> }))
// The text of a finished diagram is in its drawing.
vi.mock('./diagram-frame.tsx', () => ({
  DiagramFrame: ({ text }: { readonly text: string }) => <pre>{text}</pre>,
}))

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  // jsdom has no matchMedia.
  window.matchMedia = () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList
})

const clean: (() => void)[] = []
const cleanUp = () => {
  for (const end of clean.splice(0)) end()
}
afterEach(cleanUp)

function mount(): {
  readonly place: HTMLElement
  readonly show: (text: string, streaming?: boolean) => void
} {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  clean.push(() => {
    act(() => root.unmount())
    place.remove()
  })
  return {
    place,
    show: (text, streaming = false) => act(() => root.render(<Markdown text={text} streaming={streaming} />)),
  }
}

function shown(text: string): HTMLElement {
  const { place, show } = mount()
  show(text)
  return place
}

/** The visible text of the page, and its tooltips. */
const readable = (place: HTMLElement) =>
  [place.textContent, ...[...place.querySelectorAll<HTMLElement>('[title]')].map(({ title }) => title)].join(
    ' ',
  )

const wordsOf = (text: string) => text.match(/w[a-z]{3,}/g) ?? []

describe('Markdown', () => {
  it('[W2] keeps every word of any text', () => {
    fc.assert(
      fc.property(anyText, text => {
        const words = readable(shown(text))
        expect(wordsOf(text).filter(word => !words.includes(word))).toEqual([])
        cleanUp()
      }),
      { numRuns: 300 },
    )
  })

  it('[W2] keeps every word while text streams, and ends as if it had arrived at once', () => {
    fc.assert(
      fc.property(cutText, ({ text, cuts }) => {
        const { place, show } = mount()
        for (const cut of cuts) {
          show(text.slice(0, cut), true)
          const words = readable(place)
          expect(wordsOf(text.slice(0, cut)).filter(word => !words.includes(word))).toEqual([])
        }
        show(text)
        expect(place.isEqualNode(shown(text)), place.innerHTML).toBe(true)
        cleanUp()
      }),
      { numRuns: 150 },
    )
  })

  it('[W2] renders common Markdown', () => {
    const place = shown(
      [
        '# Title\n\nSome *soft* and **strong**, ~~gone~~, `code` and https://example.org.',
        '- [x] done\n- [ ] not done\n  - nested\n\n3. three\n4. four\n\n> quoted\n> > twice',
        '| a | b |\n|--:|---|\n| 1 | x | y |\n\n---\n\n```ts\nconst a = 1\n```\n\nNote[^1]\n\n[^1]: word',
      ].join('\n\n'),
    )
    expect(place.querySelector('h3')?.textContent).toBe('Title')
    for (const name of [
      'em',
      'strong',
      'del',
      'p > code',
      'ol[start="3"]',
      'li li',
      'blockquote blockquote',
      'hr',
    ])
      expect(place.querySelector(name), name).not.toBeNull()
    expect([...place.querySelectorAll('input')].map(({ checked }) => checked)).toEqual([true, false])
    expect([...place.querySelectorAll('td')].map(cell => cell.textContent)).toEqual(['1', 'x | y'])
    expect(place.querySelector('figure code')?.textContent).toBe('const a = 1')
    expect(place.querySelector('figcaption')?.textContent).toContain('TypeScript')
    expect(place.textContent).toContain('[^1]: word')
  })

  it('[W2] aligns right-to-left text on the right', () => {
    const place = shown('# שלום\n\nשלום world\n\n- (1) مرحبا\n- world שלום\n\nworld')
    const directions = [...place.querySelectorAll<HTMLElement>('h3, p, li')].map(({ dir }) => dir)
    expect(directions).toEqual(['rtl', 'rtl', 'rtl', 'ltr', 'ltr'])
  })

  it('[W2] shows raw HTML as text', () => {
    const place = shown('a <b onclick="x()">bold</b>\n\n<div>\n<script>alert(1)</script>\n</div>')
    expect(place.textContent).toContain('<b onclick="x()">bold</b>')
    expect(place.textContent).toContain('<script>alert(1)</script>')
    expect(place.querySelector('b, script')).toBeNull()
  })

  it('[W2] closes open formatting while text streams', () => {
    const { place, show } = mount()
    show('this is **stro', true)
    expect(place.querySelector('strong')?.textContent).toBe('stro')
    show('a\n\n```js\nlet a', true)
    expect(place.querySelector('figure code')?.textContent).toBe('let a')
  })

  it('[W2] shows the first part of a very long text, and all of it on request', () => {
    const place = shown('word '.repeat(mostShown / 2))
    expect(place.textContent.length).toBeLessThan(mostShown + 100)
    const button = [...place.querySelectorAll('button')].find(({ textContent }) => textContent === 'Show all')
    act(() => button?.click())
    expect(place.textContent.length).toBeGreaterThan(mostShown * 2)
  })

  it.each(['&lt;b&gt; &amp;amp; &copy; &#x41; &nothing;'])('[W2] shows %s as characters', text => {
    expect(shown(text).textContent).toBe('<b> &amp; © A &nothing;')
  })
})
