// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RenameField } from './rename-field.tsx'

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))

/** What came of writing something and then pressing a key, or leaving. */
async function renamed(words: string, key: string | null): Promise<readonly (string | null)[]> {
  const told: (string | null)[] = []
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () => root.render(<RenameField name="Before" onDone={name => told.push(name)} />))
  const field = place.querySelector('input')
  await act(async () => {
    if (field) field.value = words
    if (key !== null) field?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    field?.blur()
  })
  await act(async () => root.unmount())
  return told
}

describe('renaming', () => {
  it('[W1] Enter saves, and leaving does, each once', async () => {
    expect(await renamed(' After ', 'Enter')).toEqual(['After'])
    expect(await renamed('After', null)).toEqual(['After'])
  })

  it('[W1] Escape, no words and the same words leave the name as it was', async () => {
    expect(await renamed('After', 'Escape')).toEqual([null])
    expect(await renamed('  ', 'Enter')).toEqual([null])
    expect(await renamed('Before', 'Enter')).toEqual([null])
  })
})
