import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let isOpen = false

function set(next: boolean): void {
  isOpen = next
  for (const listener of listeners) listener()
}

/** Asks what kind of session is to begin, from wherever on the page. */
export const openNewSession = (): void => set(true)

/** Leaves it. */
export const closeNewSession = (): void => set(false)

/** Whether it is asked now. */
export const useNewSessionOpen = (): boolean =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOpen,
  )
