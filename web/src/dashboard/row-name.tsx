import type { ReactElement } from 'react'
import type { UsageRow } from 'dragoman/client/usage'
import { InertText } from '../safety/inert-text.tsx'
import { PlaceLink } from '../ui/place-link.tsx'
import { dayName } from './bins.ts'
import { nameOf, type Grouping } from './measures.ts'

/** The name of a row; a session or a prompt is a link to it. */
export function RowName({ row, by }: { readonly row: UsageRow; readonly by: Grouping }): ReactElement {
  const name = <InertText text={shownName(row, by)} />
  const { session, interaction } = row
  if (session === undefined || (by !== 'session' && by !== 'interaction')) return name
  const isPrompt = by === 'interaction' && typeof interaction === 'string'
  return <PlaceLink to={{ page: 'session', session, ...(isPrompt && { interaction }) }}>{name}</PlaceLink>
}

/** The name of a row as a person reads it. */
export function shownName(row: UsageRow, by: Grouping): string {
  const name = nameOf(row, by)
  if (by === 'day') return dayName(name)
  return by === 'hour' || by === 'block' ? momentName(name) : name
}

/** "2026-11-15T14:00+01:00" in the user's locale: the day and the time in the zone of the name. */
function momentName(name: string): string {
  const local = Date.parse(`${name.slice(0, 16)}Z`)
  if (Number.isNaN(local)) return name
  return new Date(local).toLocaleString(undefined, {
    timeZone: 'UTC',
    dateStyle: 'medium',
    timeStyle: 'short',
  })
}
