import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { leadHomeTo } from './home-key.ts'
import { leadTo } from './lead-to.ts'

let acts: EventTarget
beforeEach(() => {
  acts = new EventTarget()
  vi.stubGlobal('window', acts)
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const scrollerOf = (scrollHeight: number) =>
  ({ scrollTop: 0, scrollHeight, clientHeight: 100 }) as unknown as HTMLElement

it('[W2] follows a row that moves while rows are measured, and then leaves the list alone', () => {
  const scroller = scrollerOf(1000)
  let place: number | null = null
  leadTo(scroller, () => place, { above: 0, leastMs: 500 })
  place = 300
  vi.advanceTimersByTime(100)
  expect(scroller.scrollTop).toBe(300)
  place = 2000
  vi.advanceTimersByTime(380)
  expect(scroller.scrollTop).toBe(900)
  vi.advanceTimersByTime(1000)
  scroller.scrollTop = 10
  vi.advanceTimersByTime(1000)
  expect(scroller.scrollTop).toBe(10)
})

it('[W2] stops when the user scrolls elsewhere', () => {
  const scroller = scrollerOf(1000)
  for (const sign of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    leadTo(scroller, () => 400, { above: 100, leastMs: 500 })
    vi.advanceTimersByTime(50)
    expect(scroller.scrollTop).toBe(300)
    acts.dispatchEvent(new Event(sign))
    scroller.scrollTop = 900
    vi.advanceTimersByTime(1000)
    expect(scroller.scrollTop).toBe(900)
  }
})

it('[W2] stays at the start while older messages load before it', () => {
  const scroller = scrollerOf(1000)
  let hasOlder = true
  const now = {
    get current() {
      return { place: () => 16, hasOlder }
    },
  }
  scroller.scrollTop = 900
  expect(leadHomeTo(now, 16, () => undefined)(scroller)).toBe(true)
  expect(scroller.scrollTop).toBe(0)
  for (let page = 0; page < 5; page += 1) {
    vi.advanceTimersByTime(3000)
    // The visible rows keep their place when a page is added before them.
    scroller.scrollTop = 5000
    vi.advanceTimersByTime(50)
    expect(scroller.scrollTop).toBe(0)
  }
  hasOlder = false
  vi.advanceTimersByTime(1000)
  scroller.scrollTop = 300
  vi.advanceTimersByTime(1000)
  expect(scroller.scrollTop).toBe(300)
})
