import type { Readable, SessionFacts } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { usePlace, type Place } from '../places.ts'
import { inertString } from '../safety/inert-text.ts'
import { nameOf } from '../session-summary/session-face.ts'
import { usePart } from '../ui/use-part.ts'

const nobody: Readable<SessionFacts | null> = { get: () => null, subscribe: () => () => {} }

/** The name of a page; `title` is the title of its session, undefined until it is loaded. */
export function placeName(place: Place, title: string | null | undefined): string {
  switch (place.page) {
    case 'welcome':
      return 'Dragoman'
    case 'session':
      return title === undefined ? 'Session' : inertString(nameOf({ title }))
    case 'replay':
      return title === undefined ? 'Replay' : `Replay of ${inertString(nameOf({ title }))}`
    case 'dashboard':
      return 'Dashboard'
    case 'approvals':
      return 'Approvals'
    case 'settings':
      return 'Settings'
    case 'nowhere':
      return 'Not found'
  }
}

/** The title of the window: how many sessions wait for the person, where they are, and what this is. */
export function windowTitle(name: string, waiting: number): string {
  const whole = name === 'Dragoman' ? name : `${name} · Dragoman`
  return waiting === 0 ? whole : `(${waiting}) ${whole}`
}

/** The name of the current page, live. */
export function usePlaceName(): string {
  const client = useClient()
  const place = usePlace()
  const facts =
    place.page === 'session' || place.page === 'replay' ? client.session(place.session).facts : nobody
  return placeName(
    place,
    usePart(facts, each => (each === null ? undefined : each.title)),
  )
}
