// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PaneBoundary } from './pane-boundary.tsx'

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

it('[W7] a component that fails shows an error, leaves the rest alone, and can be tried again', async () => {
  let isBroken = true
  const Part = () => {
    if (isBroken) throw new TypeError('x is not a door')
    return <p>Here again</p>
  }
  const place = document.createElement('div')
  const root = createRoot(place)
  await act(async () =>
    root.render(
      <>
        <p>The rest</p>
        <PaneBoundary what="The transcript">
          <Part />
        </PaneBoundary>
      </>,
    ),
  )
  expect(place.textContent).toContain('The rest')
  expect(place.querySelector('[role=alert]')?.textContent).toContain('The transcript couldn’t be displayed')
  expect(place.querySelector('pre')?.textContent).toBe('TypeError: x is not a door')

  isBroken = false
  const [again] = place.querySelectorAll('button')
  await act(async () => again?.click())
  expect(place.textContent).toBe('The restHere again')
  await act(async () => root.unmount())
})
