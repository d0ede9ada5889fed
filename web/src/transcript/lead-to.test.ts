import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { leadTo } from './lead-to.ts'

beforeEach(() => {
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
  leadTo(scroller, () => place, 500)
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
  const stop = leadTo(scroller, () => 300, 500)
  vi.advanceTimersByTime(50)
  stop()
  scroller.scrollTop = 900
  vi.advanceTimersByTime(1000)
  expect(scroller.scrollTop).toBe(900)
})
