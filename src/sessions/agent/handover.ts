import type { Agent, Connection, ForkPoint, RawMessage } from '../../agents/agent.ts'
import type { MessageRow } from '../../catalogue/change.ts'
import { readEntries } from '../../catalogue/read-entries.ts'
import { readMessages } from '../../catalogue/read-messages.ts'
import type { StoredMessage } from '../../projections/stored-message.ts'
import { renderTranscript, type Transcript } from '../../projections/transcript.ts'
import { chunksOf, type Event } from '../../protocol/event.ts'
import { totalsFor } from '../translation/opening.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Beginning, Handover } from './beginning.ts'

/**
 * Chooses how an agent gets the conversation: from its own session if that has all of it, from a copy of its session that ends
 * at the same message, or as a transcript.
 */
export async function chooseBeginning(owned: OwnedSession, agent: Agent, lost?: string): Promise<Beginning> {
  const chosen = lost === undefined ? await chooseWay(owned, agent) : await beginWithTranscript(owned, lost)
  const continued = chosen.resume ?? chosen.fork?.agentSession ?? null
  return { ...chosen, totals: totalsFor(owned.writer.state, continued) }
}

async function chooseWay(owned: OwnedSession, agent: Agent): Promise<Omit<Beginning, 'totals'>> {
  const { agentSession } = owned.writer.state.summary
  const resume = agent.capabilities.resume ? agentSession : null
  const newest = await newestMessage(owned)
  if (newest === undefined) return { resume, fork: null, way: null }
  if (agent.memory === 'journal') return { resume, fork: null, way: 'compiled' }
  if (resume !== null) return { resume, fork: null, way: 'resumed' }
  const fork = await findForkPoint(owned, agent, newest)
  return { resume, fork, way: fork === null ? 'transcript' : 'forked' }
}

/** An agent that lost its session starts a new one and gets the conversation as text. */
async function beginWithTranscript(owned: OwnedSession, lost: string): Promise<Omit<Beginning, 'totals'>> {
  const isFirst = (await newestMessage(owned)) === undefined
  return { resume: null, fork: null, way: isFirst ? null : 'transcript', lost }
}

/** Creates what is handed over with the first prompt, now that the agent is connected. */
export async function handoverOf(
  owned: OwnedSession,
  agent: Agent,
  { way, resume, fork, lost: known }: Beginning,
  { resumed = true }: Connection,
): Promise<Handover | null> {
  if (way === null) return null
  const own = resume ?? fork?.agentSession ?? null
  if (way !== 'transcript' && (await resumed)) return { way, agentSession: own, transcript: null }
  const lost = known ?? own
  const transcript = await readTranscript(owned, agent)
  return { way: 'transcript', agentSession: null, transcript, ...(lost !== null && { lost }) }
}

/** Where the running interaction started: everything before it is the conversation so far. */
const beginningOf = ({ writer: { state } }: OwnedSession) =>
  state.summary.running?.seq ?? state.summary.seq + 1

async function newestMessage(owned: OwnedSession): Promise<MessageRow | undefined> {
  const { host, writer } = owned
  const before = beginningOf(owned)
  await writer.settled()
  const { messages } = await host.catalogue.messages(
    writer.session,
    { thread: null, before, limit: 1 },
    before,
  )
  return messages[0]
}

/** The agent's session can be cut only after a complete, finished interaction of the same agent. */
async function findForkPoint(
  owned: OwnedSession,
  agent: Agent,
  newest: MessageRow,
): Promise<ForkPoint | null> {
  const { host, writer } = owned
  const mayFork = agent.capabilities.fork && !writer.state.summary.estranged && newest.agent === agent.name
  if (!mayFork || newest.role !== 'assistant' || agent.forkPoint === undefined) return null
  const lines: RawMessage[] = []
  let last: string | null = null
  const first = await firstSeqOf(owned, newest)
  for await (const { event } of readEntries(host.journal, writer.session, first, beginningOf(owned))) {
    if (!('interaction' in event) || event.interaction !== newest.interaction) continue
    last = lastBegun(event) ?? last
    if (event.type === 'interaction-ended')
      return event.outcome === 'finished' && last === newest.id ? agent.forkPoint(lines) : null
    if (event.type === 'agent-spoke' || event.type === 'host-spoke') lines.push(lineOf(event))
  }
  return null
}

/** The first message of a message's interaction: usually its prompt. */
async function firstSeqOf({ host, writer }: OwnedSession, newest: MessageRow): Promise<number> {
  let { parent, firstSeq } = newest
  while (parent !== null) {
    const row = await host.catalogue.findMessage(writer.session, parent, null)
    if (row?.interaction !== newest.interaction) break
    ;({ parent, firstSeq } = row)
  }
  return firstSeq
}

function lastBegun(event: Event): string | null {
  const last = chunksOf(event).findLast(({ thread, chunk }) => thread === null && chunk.type === 'start')
  return last?.chunk.type === 'start' ? last.chunk.messageId : null
}

const lineOf = (event: Extract<Event, { type: 'agent-spoke' | 'host-spoke' }>): RawMessage => ({
  from: event.type === 'agent-spoke' ? 'agent' : 'host',
  text: event.raw,
  ...(event.rawFile && { cut: true }),
})

const page = 50

/** Reads the conversation backwards, as far as it fits, and writes it as a transcript. */
async function readTranscript(owned: OwnedSession, agent: Agent): Promise<Transcript> {
  const { host, writer } = owned
  const limit = Math.min(host.limits.transcriptCharacters, agent.window ?? Infinity)
  const asOf = beginningOf(owned)
  const found: StoredMessage[] = []
  let before: number | null = asOf
  let transcript = renderTranscript([], { limit })
  await writer.settled()
  while (before !== null && transcript.omitted === 0) {
    const read = await readMessages(host, writer.session, { thread: null, before, limit: page }, asOf)
    found.unshift(...read.messages.filter(({ validity }) => validity === 'active'))
    before = read.next
    transcript = renderTranscript(found, { limit })
  }
  const earlier = before === null ? 0 : await host.catalogue.countMessages(writer.session, before, asOf)
  return renderTranscript(found, { limit, earlier })
}
