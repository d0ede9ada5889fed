// @vitest-environment jsdom
import { act, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { Code } from '../markdown/code.tsx'
import { drawFormula } from '../markdown/maths/draw-formula.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { dangersIn } from './dangers.fixture.ts'
import { ForeignImage } from '../links/foreign-image.tsx'
import { ForeignLink } from '../links/foreign-link.tsx'
import { InertText } from './inert-text.tsx'
import { payloads } from './payloads.fixture.ts'

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  // What this browser without a screen does not have.
  window.matchMedia ??= () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList
  HTMLDialogElement.prototype.showModal = function open() {
    this.open = true
  }
})

/** Renders an element, clicks every link in it, and returns what is dangerous on the page then. */
async function dangersOf(element: ReactElement): Promise<readonly string[]> {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  await act(async () => root.render(element))
  const links = place.querySelectorAll<HTMLElement>('[aria-haspopup="dialog"]')
  await act(async () => links.forEach(link => link.click()))
  const dangers = dangersIn(document.body)
  await act(async () => root.unmount())
  place.remove()
  return dangers
}

/** The positions of a payload in a text. */
const places = {
  'by itself': payload => payload,
  'after words': payload => `words ${payload} words`,
  'in a heading': payload => `## ${payload}`,
  'in a list': payload => `- one\n- ${payload}\n  - ${payload}`,
  'in a table': payload => `| a | b |\n|---|---|\n| ${payload.replaceAll('\n', ' ')} | b |`,
  'in a quote': payload => `> ${payload.replaceAll('\n', '\n> ')}`,
  'in code': payload => `\`\`\`\`ts\n${payload}\n\`\`\`\``,
  'as a language': payload => `\`\`\`\`${payload.replaceAll(/[\n`]/g, ' ')}\nx\n\`\`\`\``,
  'as the words of a link': payload => `[${payload}](https://example.org)`,
  'as an address': payload =>
    `[x](<${payload.replaceAll(/[\n<>]/g, '')}>) ![x](<${payload.replaceAll(/[\n<>]/g, '')}>)`,
  'as a title': payload => `[x](https://example.org "${payload.replaceAll(/["\n]/g, '')}")`,
  'as a formula': payload => `$$${payload.replaceAll('$', '')}$$`,
} as const satisfies Readonly<Record<string, (payload: string) => string>>

describe('agent output', () => {
  it('[R3] is tested with at least a hundred payloads', () => {
    expect(new Set(payloads).size).toBeGreaterThanOrEqual(100)
  })

  it.each(Object.entries(places))('[W2] [R3] stays text %s', async (_, write) => {
    for (const payload of payloads) {
      expect(await dangersOf(<Markdown text={write(payload)} />), payload).toEqual([])
      expect(await dangersOf(<Markdown text={write(payload)} streaming />), payload).toEqual([])
    }
  })

  it('[W2] [R3] stays text in names, code, links and images', async () => {
    for (const payload of payloads) {
      expect(await dangersOf(<InertText text={payload} />), payload).toEqual([])
      expect(await dangersOf(<Code text={payload} language={payload} />), payload).toEqual([])
      expect(await dangersOf(<ForeignLink address={payload}>x</ForeignLink>), payload).toEqual([])
      expect(await dangersOf(<ForeignImage address={payload} alt={payload} />), payload).toEqual([])
    }
  })

  it('[W2] [R3] renders no formula that runs code or leads away', () => {
    for (const payload of payloads) {
      const place = document.createElement('div')
      const drawn = drawFormula(payload.replaceAll('$', ''), true)
      if ('node' in drawn) place.append(drawn.node)
      expect(dangersIn(place), payload).toEqual([])
    }
  })

  it('[R3] the check itself detects an attack', () => {
    const bad = document.createElement('div')
    bad.innerHTML =
      '<script></script><a href="https://a.example">x</a><img src="https://a.example/x.png" onerror="x()"><iframe srcdoc="x"></iframe><iframe src="/other.html"></iframe>'
    expect(dangersIn(bad)).toHaveLength(6)
  })
})
