import type { ListedSession } from 'dragoman/client'

/** A session among those that it branched from and that branched from it. */
export interface Relative {
  readonly session: ListedSession
  /** How many steps from the oldest of the family. */
  readonly depth: number
}

/** The known family of a session: oldest first, each followed by its branches. */
export function familyOf(sessions: readonly ListedSession[], id: string): readonly Relative[] {
  const byId = new Map(sessions.map(session => [session.id, session]))
  const branches = Map.groupBy(sessions, ({ branch }) => branch?.session ?? null)
  let root = byId.get(id)
  // Sessions only branch from older ones, but imported data may be wrong.
  for (const seen = new Set<string>(); root?.branch && !seen.has(root.id);) {
    seen.add(root.id)
    const parent = byId.get(root.branch.session)
    if (parent === undefined) break
    root = parent
  }
  const family: Relative[] = []
  const known = new Set<string>()
  const add = (session: ListedSession, depth: number) => {
    if (known.has(session.id)) return
    known.add(session.id)
    family.push({ session, depth })
    for (const branch of inOrder(branches.get(session.id) ?? [])) add(branch, depth + 1)
  }
  if (root) add(root, 0)
  return family
}

const inOrder = (sessions: readonly ListedSession[]) => sessions.toSorted((a, b) => a.createdAt - b.createdAt)
