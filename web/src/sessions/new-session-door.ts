import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let isOpen = false

function set(next: boolean): void {
  isOpen = next
  for (const listener of listeners) listener()
}

/** Opens the dialog for a new session, from anywhere on the page. */
export const openNewSession = (): void => set(true)

/** Closes the dialog. */
export const closeNewSession = (): void => set(false)

/** Whether the dialog is open. */
export const useNewSessionOpen = (): boolean =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOpen,
  )
