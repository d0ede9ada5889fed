// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { render } from '../composer/render.fixture.tsx'
import { toast } from './toast.ts'
import { Toasts } from './toasts.tsx'

it('[W7] pressing “Undo” or “Dismiss” returns the focus to where it was, or to the page', async () => {
  const { button, press } = await render(
    <main id="main" tabIndex={-1}>
      <button type="button">Before</button>
      <Toasts />
    </main>,
  )
  for (const name of ['Undo', 'Dismiss']) {
    await act(async () => toast('It is deleted.', { action: { label: 'Undo', run: () => {} } }))
    button('Before')?.focus()
    await act(async () => button(name)?.focus())
    await press(name)
    expect(document.activeElement).toBe(button('Before'))
    await act(async () => toast('It is deleted.', { action: { label: 'Undo', run: () => {} } }))
    button('Before')?.blur()
    await act(async () => button(name)?.focus())
    await press(name)
    expect(document.activeElement?.id).toBe('main')
  }
})
