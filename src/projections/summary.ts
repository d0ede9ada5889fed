import type { ThreadChunk } from '../protocol/chunk.ts'
import type { Tokens } from '../protocol/data-parts.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type Event, type EventOf } from '../protocol/event.ts'
import type { ConnectionId, SessionId } from '../protocol/ids.ts'
import { introductionIn, modelAfter } from './model-after.ts'
import type { Projection } from './projection.ts'
import { noSpending, spend, totalSpent, type Spending } from './spending.ts'
import { status, type SessionStatus } from './status.ts'
import { titleOf } from './title.ts'

/** The place in another session at which one branched off: a message there, and the last entry that counts. */
export interface Branch {
  readonly session: SessionId
  readonly message: string
  readonly seq: number
}

/** How the agent that was started last got to know the conversation before it. */
export interface HandedOver extends Pick<
  EventOf<'conversation-handed-over'>,
  'agent' | 'how' | 'agentSession' | 'transcript' | 'lost'
> {
  /** The entry that tells of it. */
  readonly seq: number
}

/** What a list shows of a session, and what is needed to pick it up again without reading it all. Plain JSON, small. */
export interface SessionSummary extends SessionStatus {
  readonly session: SessionId
  readonly agent: string
  readonly cwd: string
  /** As given by a person, or else the beginning of the first prompt. */
  readonly title: string | null
  readonly archived: boolean
  readonly deleted: boolean
  /** Where it branched off, if it did. */
  readonly branch: Branch | null
  /** The agent's own name for the session, the newest one; resuming uses it. Null when that knows another conversation. */
  readonly agentSession: string | null
  /** The connection that was to go on with the agent's own session, until the agent has said that it does. */
  readonly resuming: ConnectionId | null
  /** Whether the agent could not go on with its own session when it was last asked to. */
  readonly estranged: boolean
  /** Whether its title was given: by a person, or when it was created. */
  readonly titled: boolean
  /** Null as long as there was nothing to hand over. */
  readonly handedOver: HandedOver | null
  /** How many places for agents there are, while it waits for one of them; null when it does not. */
  readonly awaitsPlace: number | null
  readonly model: string | null
  /** In US dollars, as far as the agent told. */
  readonly cost: number | null
  readonly tokens: Tokens
  readonly interactions: number
  readonly createdAt: number
  readonly updatedAt: number
  /** The last entry that is counted in. */
  readonly seq: number
  /** What `cost` and `tokens` are the sum of; kept so that counting can go on from here. */
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
    branch: null,
    agentSession: null,
    resuming: null,
    estranged: false,
    handedOver: null,
    awaitsPlace: null,
    model: null,
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

/** What events tell of a session beside what it does and what it used. */
const telling: Telling = {
  'session-renamed': (_, { title }) => ({ title, titled: true }),
  'session-archived': () => ({ archived: true }),
  'session-restored': () => ({ archived: false }),
  'session-deleted': () => ({ deleted: true }),
  'session-undeleted': () => ({ deleted: false }),
  'session-branched': (_, event) => branched(event),
  // Its agent knows nothing of what was copied.
  'interactions-merged': () => ({ agentSession: null, estranged: false }),
  'agent-assigned': (before, { agent }) => givenTo(before, agent),
  'agent-connected': bondAfter,
  'agent-exited': bondAfter,
  'prompt-queued': ({ title }, { parts }) => ({ title: title ?? titleOf(parts) }),
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

function begun(before: SessionSummary, event: EventOf<'interaction-started'>): Partial<SessionSummary> {
  const { agent, parts, parent, role } = event
  return {
    interactions: before.interactions + 1,
    title: before.title ?? (role === undefined ? titleOf(parts) : null),
    // What is replaced here is not replaced in the agent's own session.
    ...(parent !== undefined && { agentSession: null }),
    ...givenTo(before, agent),
  }
}

/** An agent that ends by itself before it took its session up could not; asked again, it could not again. */
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

/** Another agent knows nothing of this one's sessions. */
const givenTo = (before: SessionSummary, agent: string): Partial<SessionSummary> =>
  agent === before.agent ? {} : { agent, agentSession: null, estranged: false, model: null }

/** Its agent knows nothing of what was copied, and what that used is counted where it was used. */
const branched = ({ from, message, seq }: EventOf<'session-branched'>): Partial<SessionSummary> => ({
  branch: { session: from, message, seq },
  agentSession: null,
  estranged: false,
  spending: noSpending,
  ...totalSpent(noSpending),
})

function heardIn(before: SessionSummary, chunks: readonly ThreadChunk[]): Partial<SessionSummary> {
  const spending = chunks.reduce(spend, before.spending)
  const introductions = chunks.map(introductionIn).filter(told => told !== null)
  return {
    ...(introductions.length > 0 && {
      agentSession:
        introductions.findLast(told => told.agentSession !== null)?.agentSession ?? before.agentSession,
      model: chunks.reduce(modelAfter, before.model),
      ...(!before.titled && { title: introductions.findLast(told => told.title)?.title ?? before.title }),
      resuming: null,
      estranged: false,
    }),
    ...(spending !== before.spending && { spending, ...totalSpent(spending) }),
  }
}
