// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RenameField } from './rename-field.tsx'

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))

/** The result of typing a text and then pressing a key, or leaving the field. */
async function renamed(words: string, key: string | null): Promise<readonly (string | null)[]> {
  const names: (string | null)[] = []
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () => root.render(<RenameField name="Before" onDone={name => names.push(name)} />))
  const field = place.querySelector('input')
  await act(async () => {
    if (field) field.value = words
    if (key !== null) field?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    field?.blur()
  })
  await act(async () => root.unmount())
  return names
}

describe('renaming', () => {
  it('[W1] Enter saves, and leaving the field does, each once', async () => {
    expect(await renamed(' After ', 'Enter')).toEqual(['After'])
    expect(await renamed('After', null)).toEqual(['After'])
  })

  it('[W1] Escape, an empty name and the same name change nothing', async () => {
    expect(await renamed('After', 'Escape')).toEqual([null])
    expect(await renamed('  ', 'Enter')).toEqual([null])
    expect(await renamed('Before', 'Enter')).toEqual([null])
  })
})
