import { useSyncExternalStore } from 'react'
import type { Readable } from 'dragoman/client'

/** A part of a readable: the component is rendered again only when the part is another. It must be picked, not made. */
export const usePart = <Whole, Part>(whole: Readable<Whole>, pick: (whole: Whole) => Part): Part =>
  useSyncExternalStore(whole.subscribe, () => pick(whole.get()))
