import { useSyncExternalStore } from 'react'

/** A rectangle on the page, in pixels. */
export interface ToastRoom {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly height: number
}

const listeners = new Set<() => void>()
let room: ToastRoom | null = null

function set(next: ToastRoom | null): void {
  room = next
  for (const listener of listeners) listener()
}

/** A space lower than a toast cannot show one. */
const least = 64

/** Lets toasts overlay an element while it is mounted: a ref for scrollable text without controls. */
export function toastRoom(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined
  const observer = new ResizeObserver(() => {
    const { top, left, width, height } = element.getBoundingClientRect()
    set(height < least ? null : { top, left, width, height })
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    set(null)
  }
}

/** The element that toasts may cover; null while they need a place beside the page. */
export const useToastRoom = (): ToastRoom | null =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => room,
  )
