// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { Dialog } from './dialog.tsx'

it('[W1] a dialog stays open when a dialog inside it closes', () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const [outer, inner] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  act(() =>
    root.render(
      <Dialog open title="Outer" onClose={outer}>
        <Dialog open title="Inner" onClose={inner}>
          words
        </Dialog>
      </Dialog>,
    ),
  )
  act(() => void place.querySelector('dialog dialog')?.dispatchEvent(new Event('close')))
  expect(inner).toHaveBeenCalledOnce()
  expect(outer).not.toHaveBeenCalled()
  act(() => void place.querySelector('dialog')?.dispatchEvent(new Event('close')))
  expect(outer).toHaveBeenCalledOnce()
  act(() => root.unmount())
  vi.unstubAllGlobals()
})
