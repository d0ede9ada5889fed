// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { Session } from 'dragoman/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dismissToast, toasts } from '../ui/toast.ts'
import { TourCard } from './tour-card.tsx'
import { keepTour } from './tour-state.ts'
import { tourSteps } from './tour-steps.ts'

let root: Root
let place: HTMLElement
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  widthIs('wide')
  place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
})
afterEach(() => {
  act(() => root.unmount())
  place.remove()
  act(() => keepTour('s', null))
  vi.unstubAllGlobals()
})

function widthIs(width: 'wide' | 'narrow'): void {
  const media = { matches: width === 'narrow', addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', () => media)
}

/** A fake session that records its calls. */
function open(status: 'idle' | 'waiting' = 'idle') {
  const asked: unknown[] = []
  const session = {
    id: 's',
    status: { get: () => state, subscribe: () => () => {} },
    prompt: (words: unknown) => void asked.push(words),
  } as unknown as Session
  const state = { status }
  act(() => root.render(<TourCard session={session} />))
  const button = (name: string) =>
    [...place.querySelectorAll('button')].find(each => each.textContent === name)
  return { asked, button, press: (name: string) => act(() => button(name)?.click()) }
}

/** Whether a step has something to look at. */
const wordsAt = (step: number) => place.textContent.includes(tourSteps[step]?.look[0] ?? '')
const toggle = (name: string) =>
  act(() => place.querySelector<HTMLElement>(`button[aria-label="${name}"]`)?.click())
const titleNow = () => place.querySelector('h2')?.textContent

describe('the tour', () => {
  it('[W1] is shown only in the demo session', () => {
    open()
    expect(place.textContent).toBe('')
  })

  it('[W1] leaves space on a phone for the request of the agent', () => {
    keepTour('s', { step: 1, sent: [] })
    open('waiting')
    expect(wordsAt(1)).toBe(true)
    widthIs('narrow')
    open('waiting')
    expect([wordsAt(1), place.textContent.includes('Answer it to continue.')]).toEqual([false, true])
    open('idle')
    expect(wordsAt(1)).toBe(true)
  })

  it('[W1] leaves space for the request of the demo', () => {
    keepTour('s', { step: 0, sent: [] })
    open()
    expect(wordsAt(0)).toBe(true)
    open('waiting')
    expect([wordsAt(0), place.textContent.includes('Answer it to continue.')]).toEqual([false, true])
  })

  it('[W1] collapses and expands', () => {
    keepTour('s', { step: 1, sent: [] })
    open()
    toggle('Collapse the tour')
    expect(wordsAt(1)).toBe(false)
    act(() => keepTour('s', { step: 2, sent: [] }))
    expect(wordsAt(2)).toBe(false)
    toggle('Expand the tour')
    expect(wordsAt(2)).toBe(true)
  })

  it('[W1] expands on a phone while the agent asks, for that step', () => {
    widthIs('narrow')
    keepTour('s', { step: 1, sent: [] })
    open('waiting')
    toggle('Expand the tour')
    expect(wordsAt(1)).toBe(true)
    act(() => keepTour('s', { step: 2, sent: [] }))
    expect(wordsAt(2)).toBe(false)
    toggle('Expand the tour')
    toggle('Collapse the tour')
    expect(wordsAt(2)).toBe(false)
  })

  it('[W1] sends the prompts of each step once, in order, and explains what to look at', () => {
    keepTour('s', { step: 0, sent: [] })
    const { asked, press } = open()
    expect(titleNow()).toBe('A demo of one minute')
    press('Take the full tour')
    expect([titleNow(), asked]).toEqual(['Streaming', ['Show me markdown']])
    press('Next')
    press('Back')
    press('Next')
    expect(asked).toEqual(['Show me markdown', 'Show me thinking'])
    press('Show it again')
    expect(asked.at(-1)).toBe('Show me thinking')
    for (let at = 3; at < tourSteps.length; at += 1) press('Next')
    expect(asked.slice(3)).toEqual(tourSteps.slice(3).flatMap(({ prompts = [] }) => prompts))
    press('Finish')
    expect(place.textContent).toBe('')
  })

  it('[W1] skips without confirmation, and waits while an answer is expected', () => {
    keepTour('s', { step: 1, sent: [1] })
    const first = open()
    first.press('Skip')
    expect([titleNow(), first.asked]).toEqual(['Thinking', []])
    const waiting = open('waiting')
    expect(waiting.button('Next')?.ariaDisabled).toBe('true')
    waiting.press('Next')
    expect([titleNow(), waiting.asked]).toEqual(['Thinking', []])
    expect(place.textContent).toContain('Answer it to continue.')
  })

  it('[W1] explains how to restart after it was stopped, and continues where it was', () => {
    keepTour('s', { step: 2, sent: [2] })
    const main = document.createElement('main')
    main.id = 'main'
    main.tabIndex = -1
    document.body.append(main)
    const { asked } = open()
    toggle('End the tour')
    expect([place.textContent, document.activeElement]).toEqual(['', main])
    const shown = toasts().at(-1)
    expect(shown?.text).toContain('Start the demo')
    expect(shown?.action?.label).toBe('Resume the tour')
    act(() => shown?.action?.run())
    expect([titleNow(), asked, window.location.pathname]).toEqual(['Thinking', [], '/s/s'])
    const steps = window.history.length
    act(() => shown?.action?.run())
    expect(window.history.length).toBe(steps)
    dismissToast(shown?.id ?? 0)
    window.history.replaceState(null, '', '/')
    main.remove()
  })

  it('[W7] keeps the focus while it waits, when a button disappears, and when it ends', () => {
    const main = document.createElement('main')
    main.id = 'main'
    main.tabIndex = -1
    document.body.append(main)
    const named = () => document.activeElement?.textContent
    const visit = (step: number, name: string, status?: 'waiting') => {
      act(() => keepTour('s', { step, sent: [] }))
      const { button, press } = open()
      button(name)?.focus()
      if (status === 'waiting') open(status)
      else press(name)
    }
    visit(3, 'Next', 'waiting')
    expect(named()).toBe('Next')
    visit(1, 'Back')
    expect(named()).toBe('Take the full tour')
    for (const name of ['Next', 'Skip']) {
      visit(tourSteps.length - 2, name)
      expect(named()).toBe('Finish')
    }
    visit(tourSteps.length - 1, 'Finish')
    expect(document.activeElement).toBe(main)
    const field = document.createElement('textarea')
    field.ariaLabel = 'Message'
    main.append(field)
    visit(tourSteps.length - 1, 'Finish')
    expect(document.activeElement).toBe(field)
    main.remove()
  })

  it('[W1] continues after a reload, and ignores an invalid stored state', () => {
    keepTour('s', { step: 4, sent: [] })
    open()
    expect(titleNow()).toBe('File changes')
    for (const kept of ['nonsense', '[]', '{"s":{"step":"4"}}', '{"s":{"step":4000,"sent":[]}}', 'null']) {
      act(() => {
        localStorage.setItem('dragoman:tours', kept)
        window.dispatchEvent(new Event('storage'))
      })
      expect(place.textContent).toBe('')
    }
  })
})
