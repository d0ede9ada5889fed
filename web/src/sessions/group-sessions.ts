import { projectName } from '../session-summary/folders.ts'
import type { SessionFace } from '../session-summary/session-face.ts'

/** How sessions are grouped. */
export type Grouping = 'time' | 'project'

/** A line of the sidebar: a group, or a session. */
export type SidebarRow =
  | {
      readonly kind: 'group'
      /** The same for the same group, whatever its name is. */
      readonly id: string
      readonly name: string
      readonly count: number
      /** The folder of a project; null for other groups. */
      readonly folder: string | null
      /** Whether its sessions are not listed. */
      readonly isFolded: boolean
    }
  | { readonly kind: 'session'; readonly face: SessionFace }

const waiting = 'Waiting for approval'
const pinned = 'Pinned'

/** What decides which group a session is in. */
interface GroupOptions {
  readonly by: Grouping
  readonly now: number
  /** The groups whose sessions are not listed, by their IDs. */
  readonly folded: ReadonlySet<string>
}

/**
 * Sessions waiting for approval come first, then pinned ones; the others by the day they started, or by project, the project with
 * the newest session first.
 */
export function groupSessions(
  faces: readonly SessionFace[],
  { by, now, folded }: GroupOptions,
): readonly SidebarRow[] {
  const groups = new Map<string, SessionFace[]>([
    [waiting, []],
    [pinned, []],
  ])
  for (const face of faces) {
    const id = groupOf(face, by, now)
    const members = groups.get(id)
    if (members === undefined) groups.set(id, [face])
    else members.push(face)
  }
  return [...groups].flatMap(([id, members]): readonly SidebarRow[] => {
    const [first] = members
    if (first === undefined) return []
    const folder = id === first.cwd ? first.cwd : null
    const isFolded = folder !== null && folded.has(id)
    const name = folder === null ? id : projectName(folder)
    const heading = { kind: 'group', id, name, count: members.length, folder, isFolded } as const
    return [heading, ...(isFolded ? [] : members.map(face => ({ kind: 'session', face }) as const))]
  })
}

function groupOf(face: SessionFace, by: Grouping, now: number): string {
  if (face.standing === 'waiting') return waiting
  if (face.pinned) return pinned
  return by === 'project' ? face.cwd : dayOf(face.createdAt, now)
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
