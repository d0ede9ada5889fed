import type { Entry } from '../protocol/entry.ts'
import { continuesText } from '../protocol/event.ts'
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
    const isText = continuesText(entry.event)
    // Of consecutive entries with text only, as in a stream, the last one is enough.
    const next = entries[index + 1]
    if (isText && next !== undefined && continuesText(next.event)) continue
    if (isText && state !== null && isSettled(state)) state = touched(state, entry)
    else {
      const folded = foldEntry(state, entry)
      for (const change of folded.changes) changes.push(change)
      state = folded.state
    }
  }
  if (state !== null) changes.push(...changesOfSession(before, state))
  return { state, changes }
}

/** Any entry gives totals of an unnamed agent session its name. */
const isSettled = ({ totals }: SessionState) => totals?.agentSession !== null

const touched = (state: SessionState, { seq, at: updatedAt }: Entry): SessionState => ({
  ...state,
  summary: { ...state.summary, updatedAt, seq },
})

/** Applies any entry. The changes do not include those of the session's own row. */
export function foldEntry(before: SessionState | null, entry: Entry): Advanced {
  const state = sessionState.apply(before, entry)
  if (before === null || state === null) return { state, changes: [] }
  const changes = changesOf(before, entry)
  const asked = changes.flatMap(change => (change.type === 'approval-asked' ? change.approval : []))
  const over = approvalsOver(entry, before.summary.pending, asked, state.summary.pending)
  return { state, changes: [...changes, ...over] }
}

/** The changes of the session's own row, if it is worth saving. */
export function changesOfSession(before: SessionState | null, after: SessionState): readonly Change[] {
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

/** Which fields are worth saving as soon as they change. The others are saved with the next such change. */
const isWeighty: Readonly<Record<keyof SessionState['summary'], boolean>> = {
  session: false,
  agent: true,
  cwd: false,
  title: true,
  status: true,
  archived: true,
  deleted: true,
  pinned: true,
  branch: true,
  agentSession: true,
  resuming: false,
  estranged: false,
  titled: false,
  handedOver: true,
  awaitsPlace: true,
  model: false,
  gitBranch: true,
  cost: false,
  tokens: false,
  interactions: true,
  running: true,
  pending: false,
  ended: false,
  createdAt: false,
  updatedAt: false,
  seq: false,
  spending: false,
}
const weighty = (Object.keys(isWeighty) as (keyof SessionState['summary'])[]).filter(name => isWeighty[name])
