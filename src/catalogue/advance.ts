import type { Entry } from '../protocol/entry.ts'
import { areOnlyWords } from '../protocol/only-words.ts'
import { approvalsOver } from './approval-change.ts'
import type { Change } from './change.ts'
import { changesOf } from './changes-of.ts'
import { sessionState, type SessionState } from './session-state.ts'

/** The state of a session after some entries, and the changes for the catalogue. */
export interface Advanced {
  readonly state: SessionState | null
  readonly changes: readonly Change[]
}

/** Applies new entries to the state of a session. Pure: the catalogue saves the changes. */
export function advance(before: SessionState | null, entries: readonly Entry[]): Advanced {
  const changes: Change[] = []
  let state = before
  for (const [index, entry] of entries.entries()) {
    // Of consecutive entries with text only, as in a stream, the last one is enough.
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

/** The state is not saved for every piece of text: the journal has what came after it. */
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
