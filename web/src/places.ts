import { useMemo, useSyncExternalStore } from 'react'

/** A page of the app. */
export type Place =
  | { readonly page: 'welcome' }
  | {
      readonly page: 'session'
      readonly session: string
      readonly message?: string
      readonly interaction?: string
      /** What was searched for, and the part in which it was found. */
      readonly found?: { readonly query: string; readonly part?: string }
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
      const { session, message, interaction, found } = place
      const rest =
        message !== undefined
          ? `/m/${encodeURIComponent(message)}`
          : interaction !== undefined
            ? `/i/${encodeURIComponent(interaction)}`
            : ''
      return `/s/${encodeURIComponent(session)}${rest}${found === undefined ? '' : searchOf(found)}`
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

function searchOf({ query, part }: NonNullable<Extract<Place, { page: 'session' }>['found']>): string {
  return `?${new URLSearchParams({ find: query, ...(part !== undefined && { part }) })}`
}

/** Whether a path segment is a valid session ID; the server applies the same rule. */
export const canBeSession = (word: string): boolean => /^(?!\.{1,2}$)[\w.:-]{1,128}$/.test(word)

const pages = ['dashboard', 'approvals', 'settings'] as const

/** The place of an address: its path, and what follows a question mark. */
export function placeOf(address: string): Place {
  const [path = '', search = ''] = address.split('?', 2)
  const place = placeOfPath(path)
  const query = new URLSearchParams(search)
  const [find, part] = [query.get('find'), query.get('part')]
  if (place.page !== 'session' || !find) return place
  return { ...place, found: { query: find, ...(part !== null && { part }) } }
}

function placeOfPath(path: string): Place {
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

/** Other pages read what follows the question mark themselves. */
function addressNow(): string {
  const { pathname, search } = window.location
  return pathname.startsWith('/s/') ? `${pathname}${search}` : pathname
}

/** Where the person is now. */
export function usePlace(): Place {
  const address = useSyncExternalStore(subscribe, addressNow)
  return useMemo(() => placeOf(address), [address])
}
