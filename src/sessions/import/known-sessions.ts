import { hash } from 'node:crypto'
import type { Transcript } from '../../agents/importer.ts'
import type { SessionSummary } from '../../projections/summary.ts'
import { isDragomanError } from '../../protocol/error.ts'
import { readId, type SessionId } from '../../protocol/ids.ts'
import type { Host } from '../host.ts'
import type { OwnedSessions } from '../own/owned-sessions.ts'

/** Leaves out subagents that an earlier version imported as separate sessions. */
export async function withoutKnownSubagents(
  host: Host,
  { agent, transcript }: { readonly agent: string; readonly transcript: Transcript },
): Promise<Transcript> {
  const { lines } = transcript
  const names = new Set(
    lines.flatMap(({ subagent }) => (subagent === undefined ? [] : [subagent.agentSession])),
  )
  const known = new Set<string>()
  for (const name of names) if (await exists(host, sessionOf(agent, name))) known.add(name)
  if (known.size === 0) return transcript
  return {
    ...transcript,
    lines: lines.filter(({ subagent }) => subagent === undefined || !known.has(subagent.agentSession)),
  }
}

/** The id of a transcript's session: the agent's own id if it is valid here, or else a hash of it. */
export function sessionOf(agent: string, agentSession: string): SessionId {
  try {
    return readId<SessionId>('session', agentSession)
  } catch {
    return `${agent}-${hash('sha256', agentSession, 'hex').slice(0, 32)}` as SessionId
  }
}

/** Whether a session of an agent was imported, or ran here. */
export async function isKnown(
  sessions: OwnedSessions,
  agent: string,
  agentSession: string,
): Promise<boolean> {
  if (await exists(sessions.host, sessionOf(agent, agentSession))) return true
  return (await sessionsWith(sessions, agentSession)).length > 0
}

/**
 * The sessions that ever had an agent's own session, the deleted ones last. The same program can run here under the name of
 * another agent, for example over ACP, and write the same transcript.
 */
export async function sessionsWith(
  sessions: OwnedSessions,
  agentSession: string,
): Promise<readonly SessionSummary[]> {
  const { host } = sessions
  // What a running session just heard may not be in the catalogue yet.
  const running = sessions.all().map(({ writer }) => writer.state.summary)
  const saved = Array.from(host.agents.keys(), agent =>
    host.catalogue.findByAgentSession(agent, agentSession, { deleted: true }),
  )
  const found = running.filter(summary => summary.agentSession === agentSession)
  return [...found, ...(await Promise.all(saved)).flat()].toSorted(
    (one, other) => Number(one.deleted) - Number(other.deleted),
  )
}

export async function exists({ journal }: Host, session: SessionId): Promise<boolean> {
  try {
    await journal.head(session)
    return true
  } catch (error) {
    if (isDragomanError(error, 'unknown-session')) return false
    throw error
  }
}

/**
 * Whether a session runs here whose agent has not reported the id of its session yet. A transcript that just appeared may be that
 * of this session.
 */
export const hasUnnamedRun = (sessions: OwnedSessions): boolean =>
  sessions.all().some(({ host, agent, starting, writer: { state } }) => {
    // It keeps no sessions.
    if (host.agents.get(state.summary.agent)?.memory === 'journal') return false
    const isStarting = starting !== null || agent !== null || state.connections.length > 0
    const { agentSession, resuming } = state.summary
    return isStarting && (agentSession === null || resuming !== null)
  })
