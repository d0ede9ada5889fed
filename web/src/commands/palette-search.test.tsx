// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PaletteItem } from './palette-items.ts'
import { PaletteSearch } from './palette-search.tsx'
import { recentlyUsed, remember } from './recent.ts'

let root: Root
let place: HTMLElement
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('CSS', { escape: (text: string) => text.replaceAll(/[^\w-]/g, String.raw`\$&`) })
  Element.prototype.scrollIntoView = () => {}
  place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
})
afterEach(() => {
  act(() => root.unmount())
  place.remove()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const item = (title: string): PaletteItem => ({ id: `the ${title}`, title, group: 'Go to', run() {} })

function open(...titles: readonly string[]) {
  const chosen: string[] = []
  const close = vi.fn<() => void>()
  act(() =>
    root.render(
      <PaletteSearch
        items={titles.map(item)}
        onTyped={() => {}}
        onChoose={({ title }) => chosen.push(title)}
        onClose={close}
      />,
    ),
  )
  const field = place.querySelector('input')
  if (field === null) throw new Error('There is no field.')
  const press = (key: string, more: KeyboardEventInit = {}) =>
    act(
      () =>
        void field.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
        ),
    )
  const active = () => {
    const option = document.querySelector(`[id="${field.getAttribute('aria-activedescendant')}"]`)
    expect(option?.getAttribute('aria-selected')).toBe('true')
    return option?.textContent
  }
  return { chosen, close, field, press, active }
}

describe('the search field of the command palette', () => {
  it('[W7] selects with the arrow keys, wraps around, and runs the item on Enter', () => {
    const { chosen, press, active } = open('Dashboard', 'Approvals', 'Start page')
    expect(active()).toBe('Dashboard')
    press('ArrowUp')
    expect(active()).toBe('Start page')
    press('ArrowDown')
    press('ArrowDown')
    expect(active()).toBe('Approvals')
    press('Enter')
    expect(chosen).toEqual(['Approvals'])
  })

  it('[W7] is a combobox with a named list', () => {
    const { field } = open('Dashboard')
    const list = document.querySelector(`[id="${field.getAttribute('aria-controls')}"]`)
    expect([field.getAttribute('role'), list?.getAttribute('role')]).toEqual(['combobox', 'listbox'])
    expect([field.ariaLabel, list?.ariaLabel].every(Boolean)).toBe(true)
  })

  it('[W7] ignores Enter during text composition, and closes on its own shortcut', () => {
    const { chosen, press, close } = open('Dashboard')
    press('Enter', { isComposing: true })
    expect(chosen).toEqual([])
    press('k', { ctrlKey: true })
    expect(close).toHaveBeenCalledOnce()
  })

  it('[W7] lists recently used items first, and keeps only a few', () => {
    for (let at = 0; at < 20; at += 1) remember(`other ${at}`)
    remember('the Approvals')
    expect([recentlyUsed()[0], recentlyUsed().length]).toEqual(['the Approvals', 8])
    const { active } = open('Dashboard', 'Approvals')
    expect(active()).toBe('Approvals')
    localStorage.setItem('dragoman:recent-commands', '{broken')
    expect(recentlyUsed()).toEqual([])
  })
})
