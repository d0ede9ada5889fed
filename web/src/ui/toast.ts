import { useEffect, useState, useSyncExternalStore } from 'react'

/** A short message about something done or refused. */
export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  /** The action of the toast, such as "Undo". */
  readonly action: { readonly label: string; readonly run: () => void } | null
}

/** How long a line stays: longer where there is something to do about it. */
export const stayMs = ({ action, tone }: Toast): number =>
  action === null && tone === 'plain' ? 5000 : 12_000

const listeners = new Set<() => void>()
let shown: readonly Toast[] = []
let last = 0

function set(next: readonly Toast[]): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a toast. At most three at once. */
export function toast(text: string, { tone = 'plain', action = null }: Partial<Toast> = {}): void {
  last += 1
  set([...shown.slice(-2), { id: last, text, tone, action }])
}

/** Shows an error as a toast. */
export const toastError = (error: unknown): void =>
  toast(error instanceof Error ? error.message : String(error), { tone: 'bad' })

/** Removes a toast. */
export const dismissToast = (id: number): void => set(shown.filter(each => each.id !== id))

/** The lines that are shown now. */
export const toasts = (): readonly Toast[] => shown

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const places: object[] = []
const nothing: readonly Toast[] = []

/** The current toasts, live, for the topmost place: under an open dialog they could not be reached. */
export function useToasts(): readonly Toast[] {
  const [place] = useState(() => ({}))
  useEffect(() => {
    places.push(place)
    set(shown)
    return () => {
      places.splice(places.indexOf(place), 1)
      set(shown)
    }
  }, [place])
  return useSyncExternalStore(subscribe, () => (places.at(-1) === place ? shown : nothing))
}
