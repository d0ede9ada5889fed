import { useSyncExternalStore } from 'react'

const shown = new Map<string, string>()
const listeners = new Set<() => void>()

/** The request shown in a session's dock; null when there is none. */
export const dockedIn = (session: string): string | null => shown.get(session) ?? null

/** Puts a request into its session's dock, or removes the dock. */
export function dock(session: string, approval: string | null): void {
  if (dockedIn(session) === approval) return
  if (approval === null) shown.delete(session)
  else shown.set(session, approval)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The request shown in a session's dock, live. */
export const useDocked = (session: string): string | null =>
  useSyncExternalStore(subscribe, () => dockedIn(session))

/** Which pending request to show: the one that was shown, or the one that took its place. */
export function nextShown(
  before: { readonly id: string; readonly at: number } | null,
  waiting: readonly { readonly id: string }[],
): number {
  const at = waiting.findIndex(({ id }) => id === before?.id)
  return at === -1 ? Math.max(0, Math.min(before?.at ?? 0, waiting.length - 1)) : at
}
