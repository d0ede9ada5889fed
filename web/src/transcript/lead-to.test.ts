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

it('[W2] keeps to a place that moves while rows are measured, and then lets the list be', () => {
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

it('[W2] leaves whoever goes elsewhere where they are', () => {
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

it('[W2] keeps to the beginning as long as older messages are loaded before it', () => {
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
    // What was in view is kept in its place when a page comes before it.
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
