// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseTheme, useTheme } from './theme.ts'

const beforePaint = readFileSync(join(import.meta.dirname, '../../public/theme.js'), 'utf8')
const root = document.documentElement

const system = Object.assign(new EventTarget(), { matches: false })
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => system)
})
afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  delete root.dataset['theme']
})

describe('the theme', () => {
  it('[W7] is applied before the first paint', () => {
    chooseTheme('dark')
    delete root.dataset['theme']
    runInThisContext(beforePaint)
    expect(root.dataset['theme']).toBe('dark')
    chooseTheme('system')
    runInThisContext(beforePaint)
    expect(root.dataset['theme']).toBeUndefined()
    localStorage.setItem('dragoman:theme', 'nonsense')
    runInThisContext(beforePaint)
    expect(root.dataset['theme']).toBeUndefined()
  })

  it('[W7] follows the system unless one was chosen, here or in another tab', () => {
    const Shown = () => {
      const { theme, choice } = useTheme()
      return `${theme} ${choice}`
    }
    const place = document.createElement('div')
    const page = createRoot(place)
    act(() => page.render(<Shown />))
    expect(place.textContent).toBe('light system')
    act(() => {
      system.matches = true
      system.dispatchEvent(new Event('change'))
    })
    expect(place.textContent).toBe('dark system')
    act(() => chooseTheme('light'))
    expect(place.textContent).toBe('light light')
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'dragoman:theme', newValue: 'dark' }))
    })
    expect(place.textContent).toBe('dark dark')
    act(() => page.unmount())
  })
})
