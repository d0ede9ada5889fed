import { useSyncExternalStore } from 'react'

/** A place on the page, in pixels. */
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

/** Less than a toast is high is no room. */
const least = 64

/**
 * Lets toasts stand over an element as long as it is there: a ref for one that holds words to be scrolled, and nothing that
 * must be reached at once.
 */
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

/** Over which place toasts may stand now; null where they must have room of their own. */
export const useToastRoom = (): ToastRoom | null =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => room,
  )
