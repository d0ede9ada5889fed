import type { SessionFace } from '../session-summary/session-face.ts'

/** A line of the sidebar: the name of a group, or a session. */
export type SidebarRow =
  | { readonly kind: 'group'; readonly name: string; readonly count: number }
  | { readonly kind: 'session'; readonly face: SessionFace }

/** Sessions waiting for approval come first; the others by the day they started. */
export function groupSessions(faces: readonly SessionFace[], now: number): readonly SidebarRow[] {
  const groups = new Map<string, SessionFace[]>([['Waiting for approval', []]])
  for (const face of faces) {
    const name = face.standing === 'waiting' ? 'Waiting for approval' : dayOf(face.createdAt, now)
    groups.set(name, [...(groups.get(name) ?? []), face])
  }
  return [...groups].flatMap(([name, members]): readonly SidebarRow[] =>
    members.length === 0
      ? []
      : [
          { kind: 'group', name, count: members.length },
          ...members.map(face => ({ kind: 'session', face }) as const),
        ],
  )
}

const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0)

/** Today, yesterday, a weekday of the last week, or a month. */
export function dayOf(at: number, now: number): string {
  // A day with a change of the clock has 23 or 25 hours.
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return new Date(at).toLocaleDateString('en', { weekday: 'long' })
  return new Date(at).toLocaleDateString('en', { month: 'long', year: 'numeric' })
}
