import type { ThreadChunk } from '../protocol/chunk.ts'
import type { DataParts, Tokens } from '../protocol/data-parts.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type Event, type EventOf } from '../protocol/event.ts'
import type { ConnectionId, SessionId } from '../protocol/ids.ts'
import type { PromptPart } from '../protocol/message.ts'
import { introductionIn, modelAfter } from './model-after.ts'
import type { Projection } from './projection.ts'
import { titleAfter } from './prompt-title.ts'
import { firstOf } from './shorten.ts'
import { noSpending, spend, totalSpent, type Spending } from './spending.ts'
import { status, type SessionStatus } from './status.ts'

/** Where a session branched off from another session: a message there, and the last entry that was copied. */
export interface Branch {
  readonly session: SessionId
  readonly message: string
  readonly seq: number
}

/** How the agent that was started last got the earlier conversation. */
export interface HandedOver extends Pick<
  EventOf<'conversation-handed-over'>,
  'agent' | 'how' | 'agentSession' | 'transcript' | 'lost'
> {
  /** The number of the entry that recorded it. */
  readonly seq: number
}

/** The facts about a session that a list shows, and those that resuming needs without reading all entries. Small, plain JSON. */
export interface SessionSummary extends SessionStatus {
  readonly session: SessionId
  readonly agent: string
  readonly cwd: string
  /** Set by a person or the agent, or else made from the first prompt that is more than a command. */
  readonly title: string | null
  readonly archived: boolean
  readonly deleted: boolean
  /** Whether a person keeps it at the top of the list. */
  readonly pinned: boolean
  /** Where it branched off, if it did. */
  readonly branch: Branch | null
  /** The agent's own id for the session, the newest one; resuming uses it. Null if that session has another conversation. */
  readonly agentSession: string | null
  /** The connection that resumes or copies the agent's own session, until the agent confirms it. */
  readonly resuming: ConnectionId | null
  /** Whether the agent failed to continue its own session the last time. */
  readonly estranged: boolean
  /** Whether a person set the title, or the request that created the session. The agent does not replace such a title. */
  readonly titled: boolean
  /** Null until a conversation is handed over for the first time. */
  readonly handedOver: HandedOver | null
  /** The number of slots for agents while the session waits for a free one; otherwise null. */
  readonly awaitsPlace: number | null
  readonly model: string | null
  /** The git branch of its folder, as far as the agent reported it. */
  readonly gitBranch: string | null
  /** In US dollars, as far as the agent reported it. */
  readonly cost: number | null
  readonly tokens: Tokens
  readonly interactions: number
  readonly createdAt: number
  readonly updatedAt: number
  /** The last entry that the summary includes. */
  readonly seq: number
  /** The parts of the sums `cost` and `tokens`, which later entries continue. */
  readonly spending: Spending
}

/** The summary of a session after each entry; null before it was created. */
export const summary: Projection<SessionSummary | null> = {
  initial: null,
  apply(before, entry) {
    const { event, seq, at: updatedAt } = entry
    if (before === null) return event.type === 'session-created' ? create(entry, event) : null
    const now = status.apply(before, entry)
    const { status: doing, running, ended, pending } = now
    const chunks = chunksOf(event)
    return {
      ...before,
      ...(now !== before && { status: doing, running, ended, pending }),
      ...(chunks.length > 0 && heardIn(before, chunks)),
      ...factsIn(before, event, seq),
      updatedAt,
      seq,
    }
  },
}

function create({ session, seq, at }: Entry, event: EventOf<'session-created'>): SessionSummary {
  return {
    ...status.initial,
    session,
    agent: event.agent,
    cwd: event.cwd,
    title: event.title,
    titled: event.title !== null,
    archived: false,
    deleted: false,
    pinned: false,
    branch: null,
    agentSession: null,
    resuming: null,
    estranged: false,
    handedOver: null,
    awaitsPlace: null,
    model: null,
    gitBranch: null,
    ...totalSpent(noSpending),
    interactions: 0,
    createdAt: at,
    updatedAt: at,
    seq,
    spending: noSpending,
  }
}

type Telling = {
  readonly [Type in Event['type']]?: (
    before: SessionSummary,
    event: EventOf<Type>,
    seq: number,
  ) => Partial<SessionSummary>
}

/** What each event changes in the summary, except for the status and the usage. */
const telling: Telling = {
  'session-renamed': (_, { title }) => ({ title, titled: true }),
  'session-archived': () => ({ archived: true }),
  'session-restored': () => ({ archived: false }),
  'session-pinned': () => ({ pinned: true }),
  'session-unpinned': () => ({ pinned: false }),
  'session-deleted': () => ({ deleted: true }),
  'session-undeleted': () => ({ deleted: false }),
  'session-branched': (_, event) => branched(event),
  // The agent's own session does not have the copied interactions.
  'interactions-merged': () => ({ agentSession: null, estranged: false }),
  'agent-assigned': (before, { agent }) => givenTo(before, agent),
  'agent-connected': bondAfter,
  'agent-exited': bondAfter,
  'prompt-queued': (before, { parts }) => named(before, parts),
  'interaction-started': begun,
  'interaction-ended': () => ({ awaitsPlace: null }),
  'place-awaited': (_, { places }) => ({ awaitsPlace: places }),
  'conversation-handed-over': (_, { agent, how, agentSession, transcript, lost }, seq) => ({
    handedOver: { agent, how, agentSession, transcript, seq, ...(lost !== undefined && { lost }) },
  }),
}

function factsIn<Type extends Event['type']>(
  before: SessionSummary,
  event: EventOf<Type>,
  seq: number,
): Partial<SessionSummary> {
  const tell: Telling[Type] = telling[event.type]
  return tell?.(before, event, seq) ?? {}
}

/** A title that a person gave stays. */
const named = ({ title, titled }: SessionSummary, parts: readonly PromptPart[]): Partial<SessionSummary> =>
  titled ? {} : { title: titleAfter(title, parts) }

function begun(before: SessionSummary, event: EventOf<'interaction-started'>): Partial<SessionSummary> {
  const { agent, parts, parent, role } = event
  return {
    interactions: before.interactions + 1,
    ...(role === undefined && named(before, parts)),
    // The agent's own session still has the messages that are replaced here.
    ...(parent !== undefined && { agentSession: null }),
    ...givenTo(before, agent),
  }
}

/** An agent that exits with an error before it has resumed its session cannot resume it. Another attempt would fail as well. */
function bondAfter(
  { resuming }: SessionSummary,
  event: EventOf<'agent-connected' | 'agent-exited'>,
): Partial<SessionSummary> {
  const { connection } = event
  if (event.type === 'agent-connected')
    return {
      resuming: (event.resumed ?? event.forked ?? null) === null ? null : connection,
      awaitsPlace: null,
    }
  if (resuming !== connection) return {}
  const isOwnEnd = event.signal === null && event.code !== 0
  return { resuming: null, ...(isOwnEnd && { agentSession: null, estranged: true }) }
}

/** A new agent does not have the sessions of the previous one. */
const givenTo = (before: SessionSummary, agent: string): Partial<SessionSummary> =>
  agent === before.agent ? {} : { agent, agentSession: null, estranged: false, model: null }

/** The agent's own session does not have the copied conversation. Its usage counts in the session that it was copied from. */
const branched = ({ from, message, seq }: EventOf<'session-branched'>): Partial<SessionSummary> => ({
  branch: { session: from, message, seq },
  agentSession: null,
  estranged: false,
  spending: noSpending,
  ...totalSpent(noSpending),
})

function heardIn(before: SessionSummary, chunks: readonly ThreadChunk[]): Partial<SessionSummary> {
  const spending = chunks.reduce(spend, before.spending)
  const introductions = chunks.map(introductionIn).filter(session => session !== null)
  return {
    ...(introductions.length > 0 && {
      agentSession:
        introductions.findLast(session => session.agentSession !== null)?.agentSession ?? before.agentSession,
      model: chunks.reduce(modelAfter, before.model),
      gitBranch: branchIn(introductions) ?? before.gitBranch,
      ...(!before.titled && {
        title: introductions.findLast(session => session.title)?.title ?? before.title,
      }),
      resuming: null,
      estranged: false,
    }),
    ...(spending !== before.spending && { spending, ...totalSpent(spending) }),
  }
}

/** Names of branches are not longer; what an agent reports may be anything. */
const longestBranch = 255

function branchIn(introductions: readonly DataParts['session'][]): string | null {
  const branch = introductions.findLast(each => each.branch !== undefined)?.branch
  return branch === undefined ? null : firstOf(branch, longestBranch)
}
