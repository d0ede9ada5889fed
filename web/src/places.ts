import { useMemo, useSyncExternalStore } from 'react'

/** A page of the app. */
export type Place =
  | { readonly page: 'welcome' }
  | {
      readonly page: 'session'
      readonly session: string
      readonly message?: string
      readonly interaction?: string
    }
  | { readonly page: 'replay'; readonly session: string }
  | { readonly page: 'dashboard' }
  | { readonly page: 'approvals' }
  | { readonly page: 'settings' }
  | { readonly page: 'nowhere'; readonly path: string }

/** The address of a place. */
export function addressOf(place: Place): string {
  switch (place.page) {
    case 'welcome':
      return '/'
    case 'session': {
      const { session, message, interaction } = place
      const rest =
        message !== undefined
          ? `/m/${encodeURIComponent(message)}`
          : interaction !== undefined
            ? `/i/${encodeURIComponent(interaction)}`
            : ''
      return `/s/${encodeURIComponent(session)}${rest}`
    }
    case 'replay':
      return `/s/${encodeURIComponent(place.session)}/replay`
    case 'dashboard':
      return '/dashboard'
    case 'approvals':
      return '/approvals'
    case 'settings':
      return '/settings'
    case 'nowhere':
      return place.path
  }
}

/** Whether a path segment is a valid session ID; the server applies the same rule. */
export const canBeSession = (word: string): boolean => /^(?!\.{1,2}$)[\w.:-]{1,128}$/.test(word)

const pages = ['dashboard', 'approvals', 'settings'] as const

/** The place of an address. */
export function placeOf(path: string): Place {
  const nowhere: Place = { page: 'nowhere', path }
  const words = decoded(path)
  if (words === null) return nowhere
  if (words.length === 0) return { page: 'welcome' }
  const [first, session, ...rest] = words
  if (first === 's' && session !== undefined) return placeIn(session, rest) ?? nowhere
  const page = words.length === 1 ? pages.find(name => name === first) : undefined
  return page === undefined ? nowhere : { page }
}

/** A place within a session, from the segments after its ID. */
function placeIn(session: string, [kind, id, ...more]: readonly string[]): Place | null {
  if (kind === undefined) return { page: 'session', session }
  if (kind === 'replay' && id === undefined) return { page: 'replay', session }
  if (id === undefined || more.length > 0) return null
  if (kind === 'm') return { page: 'session', session, message: id }
  return kind === 'i' ? { page: 'session', session, interaction: id } : null
}

function decoded(path: string): readonly string[] | null {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    // A mistyped address leads nowhere, like any unknown one.
    return null
  }
}

const moved = 'dragoman:moved'

/** Opens a page; `replace` adds no history entry. */
export function go(place: Place, { replace = false }: { readonly replace?: boolean } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(place))
  window.dispatchEvent(new Event(moved))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener)
  window.addEventListener(moved, listener)
  return () => {
    window.removeEventListener('popstate', listener)
    window.removeEventListener(moved, listener)
  }
}

/** Where the person is now. */
export function usePlace(): Place {
  const path = useSyncExternalStore(subscribe, () => window.location.pathname)
  return useMemo(() => placeOf(path), [path])
}
