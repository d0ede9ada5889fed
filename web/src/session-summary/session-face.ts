import type { ListedSession } from 'dragoman/client'
import { demoAgent } from '../agents/use-agents.ts'
import { roughly } from '../ui/amounts.ts'
import { standingOf, type Standing } from './session-status.ts'

/** What a row shows of a session: nothing that changes while text streams. */
export interface SessionFace {
  readonly id: string
  readonly title: string | null
  readonly agent: string
  readonly cwd: string
  readonly standing: Standing
  readonly archived: boolean
  readonly deleted: boolean
  /** Whether it went on from another one. */
  readonly isFork: boolean
  readonly createdAt: number
  readonly pinned: boolean
  readonly gitBranch: string | null
  /** Whether its agent works on it in its own terminal. */
  readonly inTerminal: boolean
  /** What it cost, marked where it is estimated; null where nothing is known, and while it runs. */
  readonly cost: string | null
}

/** The fields a face is made from. */
type FaceSource = Pick<
  ListedSession,
  | 'id'
  | 'title'
  | 'agent'
  | 'cwd'
  | 'archived'
  | 'deleted'
  | 'createdAt'
  | 'branch'
  | 'status'
  | 'awaitsPlace'
  | 'ended'
  | 'pending'
  | 'interactions'
  | 'pinned'
  | 'gitBranch'
  | 'cost'
  | 'estimatedCost'
  | 'inTerminal'
>

/** The name of a session without a title. */
export const untitled = 'Untitled'

/** The name to show for a session. */
export const nameOf = ({ title }: { readonly title: string | null }): string =>
  title === null || title.trim() === '' ? untitled : title

/** The row data of a session. */
export const faceOf = (session: FaceSource): SessionFace => {
  const { id, title, agent, cwd, archived, deleted, createdAt, branch, pinned, gitBranch } = session
  const { inTerminal = false } = session
  const standing = standingOf(session)
  return {
    id,
    title,
    agent,
    cwd,
    archived,
    deleted,
    createdAt,
    pinned,
    gitBranch,
    isFork: branch !== null,
    inTerminal,
    standing,
    cost: standing === 'running' ? null : costOf(session),
  }
}

/** The costs of the demo are made up. */
function costOf({ agent, cost, estimatedCost }: FaceSource): string | null {
  const whole = (cost ?? 0) + (estimatedCost ?? 0)
  if (agent === demoAgent || whole === 0) return null
  return `${estimatedCost === undefined ? '' : '~'}${roughly(whole)}`
}

const isSame = (one: SessionFace, other: SessionFace) =>
  (Object.keys(one) as (keyof SessionFace)[]).every(key => one[key] === other[key])

/** The faces of sessions; those that are as before are the same objects, and so is the list. */
export function facesAfter(
  before: readonly SessionFace[],
  sessions: readonly ListedSession[],
): readonly SessionFace[] {
  const known = new Map(before.map(face => [face.id, face]))
  const after = sessions.map(session => {
    const [old, face] = [known.get(session.id), faceOf(session)]
    return old !== undefined && isSame(old, face) ? old : face
  })
  const isUnchanged = after.length === before.length && after.every((face, index) => face === before[index])
  return isUnchanged ? before : after
}

/** Some sessions, preceded by pinned ones that are on a page that is not loaded yet. */
export function withPinned(
  faces: readonly SessionFace[],
  pinned: readonly SessionFace[],
): readonly SessionFace[] {
  const known = new Set(faces.map(({ id }) => id))
  const missing = pinned.filter(({ id }) => !known.has(id))
  return missing.length === 0 ? faces : [...missing, ...faces]
}

/** Some sessions, preceded by other sessions that wait for approval, archived or not. */
export function withWaiting(
  faces: readonly SessionFace[],
  others: readonly SessionFace[],
): readonly SessionFace[] {
  const known = new Set(faces.map(({ id }) => id))
  const missing = others.filter(({ id, standing }) => standing === 'waiting' && !known.has(id))
  return missing.length === 0 ? faces : [...missing, ...faces]
}

/**
 * Some sessions, newest first, followed by the open session if it is older than all of them: it is on a page
 * that is not loaded yet, and would have no row.
 */
export function withOpen(faces: readonly SessionFace[], open: SessionFace | null): readonly SessionFace[] {
  const last = faces.at(-1)
  if (open === null || last === undefined || open.archived || open.createdAt > last.createdAt) return faces
  return faces.some(({ id }) => id === open.id) ? faces : [...faces, open]
}
