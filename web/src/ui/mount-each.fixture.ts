import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, vi } from 'vitest'

/** Where a test renders its components: a new element for each test. */
export interface Mounted {
  readonly root: Root
  readonly place: HTMLElement
}

/** Creates an element before each test of a file, and removes it afterwards. */
export function mountEach(): Mounted {
  const mounted: { root: Root; place: HTMLElement } = {} as never
  beforeEach(() => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    mounted.place = document.createElement('div')
    document.body.append(mounted.place)
    mounted.root = createRoot(mounted.place)
  })
  afterEach(() => {
    act(() => mounted.root.unmount())
    mounted.place.remove()
    vi.unstubAllGlobals()
  })
  return mounted
}
