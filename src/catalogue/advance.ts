import type { Entry } from '../protocol/entry.ts'
import { areOnlyWords } from '../protocol/only-words.ts'
import { approvalsOver } from './approval-change.ts'
import type { Change } from './change.ts'
import { changesOf } from './changes-of.ts'
import { sessionState, type SessionState } from './session-state.ts'

/** A session some entries further on, and what has changed for the tables. */
export interface Advanced {
  readonly state: SessionState | null
  readonly changes: readonly Change[]
}

/** Takes new entries into a session's state. Pure: saving the changes is the catalogue's work. */
export function advance(before: SessionState | null, entries: readonly Entry[]): Advanced {
  const changes: Change[] = []
  let state = before
  for (const [index, entry] of entries.entries()) {
    // Of many words in a row, as a stream has them, the last tells how far the session is.
    if (isPassedBy(entry, entries[index + 1])) continue
    const next = sessionState.apply(state, entry)
    if (state !== null && next !== null) changes.push(...changesBetween(state, entry, next))
    state = next
  }
  if (state !== null) changes.push(...changesOfSession(before, state))
  return { state, changes }
}

function changesBetween(before: SessionState, entry: Entry, after: SessionState): readonly Change[] {
  const changes = changesOf(before, entry)
  const asked = changes.flatMap(change => (change.type === 'approval-asked' ? change.approval : []))
  return [...changes, ...approvalsOver(entry, before.summary.pending, asked, after.summary.pending)]
}

const isPassedBy = (entry: Entry, next: Entry | undefined) =>
  next !== undefined && saysOnlyWords(entry) && saysOnlyWords(next)

const saysOnlyWords = ({ event }: Entry) => event.type === 'agent-spoke' && areOnlyWords(event.chunks)

function changesOfSession(before: SessionState | null, after: SessionState): readonly Change[] {
  if (before !== null && !isWorthARow(before, after)) return []
  const { session, agent, agentSession, seq } = after.summary
  const met = agentSession !== null && agentSession !== before?.summary.agentSession
  return [
    ...(met ? [{ type: 'agent-session-met', session, agent, agentSession, seq } as const] : []),
    { type: 'session-changed', state: after },
  ]
}

/** The row of a session is not written for every word: between two rows the journal tells what happened. */
function isWorthARow(before: SessionState, after: SessionState): boolean {
  return (
    weighty.some(name => before.summary[name] !== after.summary[name]) ||
    before.queue !== after.queue ||
    before.rules !== after.rules ||
    before.connections !== after.connections
  )
}

const weighty = [
  'status',
  'running',
  'interactions',
  'title',
  'archived',
  'deleted',
  'branch',
  'agent',
  'agentSession',
  'handedOver',
  'awaitsPlace',
] as const satisfies readonly (keyof SessionState['summary'])[]
