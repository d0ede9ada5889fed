// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeAll, expect, it } from 'vitest'
import { Maths } from './maths.tsx'

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

async function shown(source: string): Promise<HTMLElement> {
  const place = document.createElement('div')
  await act(async () => {
    createRoot(place).render(<Maths source={source} raw={`$${source}$`} display />)
    await import('./formula.tsx')
  })
  return place
}

it('[W2] a formula is rendered as elements, with text for screen readers', async () => {
  const place = await shown(String.raw`\frac{1}{2}`)
  expect(place.querySelector('.katex-html')).not.toBeNull()
  expect(place.querySelector('math')).not.toBeNull()
})

it('[R3] an inline formula has its own box that it cannot leave', async () => {
  const place = document.createElement('div')
  await act(async () => createRoot(place).render(<Maths source="x" raw="$x$" display={false} />))
  expect(place.firstElementChild?.className).toContain('inline')
})

it('[W2] a formula with an error shows its source and the reason', async () => {
  const place = await shown(String.raw`\frac{1`)
  expect(place.textContent).toBe(String.raw`$\frac{1$`)
  expect(place.querySelector('code')?.title).toContain('KaTeX')
})

it('[R3] a formula that would never end, or fill the page, is limited', async () => {
  expect((await shown(String.raw`\def\a{\a\a}\a`)).querySelector('.katex')).toBeNull()
  expect((await shown('{'.repeat(1_900))).querySelector('.katex')).toBeNull()
  const huge = await shown(String.raw`\rule{100000em}{100000em}`)
  expect(huge.innerHTML).not.toContain('100000em;')
})
