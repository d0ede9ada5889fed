import type { SessionState } from '../../catalogue/session-state.ts'
import type { Entry } from '../../protocol/entry.ts'
import { areOnlyText, type Event, type TranscriptFacts } from '../../protocol/event.ts'
import type { InteractionId } from '../../protocol/ids.ts'
import type { OpenParts } from '../../protocol/open-parts.ts'
import { eventsClosingExitedAgent } from '../own/close-connections.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { continuationOf } from '../translation/opening.ts'
import { translateLine, type TranslationState } from '../translation/translate-line.ts'
import {
  assignInteraction,
  type AssignedEvents,
  type LineInteractions,
  type LineSource,
} from './assign-interaction.ts'
import { stoppedByAgent, stoppedByPerson } from './ending.ts'
import type { ConnectionItem, TranslatedItem } from './read-connection.ts'
import { withAnswers } from './rules.ts'
import type { RunningAgent } from './running-agent.ts'

/**
 * The straight path of an agent's output, from its first line to its exit:
 *
 * 1. `read-connection.ts` reads lines, log text and the exit in order, in bounded batches;
 * 2. each line is translated once, by `createItemTranslator`, while the previous batch is being saved;
 * 3. `toEvents` turns a batch into events; `assign-interaction.ts` finds the interaction of each line;
 * 4. the events are saved; the journal numbers them and rings the bell;
 * 5. only then is a line of ours sent to the agent;
 * 6. the agent's slot is updated, and the next queued prompt may start.
 */
export async function saveAgentOutput(owned: OwnedSession, running: RunningAgent): Promise<void> {
  const { host, writer } = owned
  for await (const items of running.output) {
    if (host.checkpoint !== null) await host.checkpoint('translated')
    const isText = onlyContinuesText(items)
    if (!isText) await loadReopened(owned, running, items)
    const entries = await save(owned, running, items, isText)
    // More text in a running interaction asks for nothing, sends nothing, and leaves the slot as it is.
    if (isText && writer.state.summary.running !== null) continue
    await releaseLines(owned, items)
    settleBatch(owned, running, entries)
  }
}

/** Translates the lines of a connection as they come; the state is carried from line to line. */
export function createItemTranslator(first: TranslationState): (item: ConnectionItem) => TranslatedItem {
  let state = first
  return item => {
    if (item.type !== 'line') return item
    const [next, chunks] = translateLine(state, item.from, item.raw, item.parsed)
    state = next
    const { type, from, raw, saved } = item
    return { type, from, raw, chunks, ...(saved !== undefined && { saved }) }
  }
}

/** Whether a batch only continues the agent's text or thinking, as most batches do. */
const onlyContinuesText = (items: readonly TranslatedItem[]): boolean =>
  items.every(item => item.type === 'line' && item.from === 'agent' && areOnlyText(item.chunks))

/** Finds the interactions of messages that began in an earlier connection and that a resumed agent opens again. */
async function loadReopened(
  { host: { catalogue }, writer: { session } }: OwnedSession,
  running: RunningAgent,
  items: readonly TranslatedItem[],
): Promise<void> {
  if (running.beginning.resume === null) return
  for (const { thread, chunk } of items.flatMap(item => (item.type === 'line' ? item.chunks : []))) {
    if (chunk.type !== 'start' || running.interactions.messages.has(chunk.messageId)) continue
    // When a table cannot be read, the output is saved all the same: the message then counts as new.
    const message = await catalogue.findMessage(session, chunk.messageId, thread).catch(() => undefined)
    if (message === undefined) continue
    const messages = new Map(running.interactions.messages).set(message.id, message.interaction)
    running.interactions = { ...running.interactions, messages }
  }
}

/** Saves a batch as events, with retries. The interactions of later lines change only when the events are saved. */
async function save(
  owned: OwnedSession,
  running: RunningAgent,
  items: readonly TranslatedItem[],
  isText: boolean,
): Promise<readonly Entry[]> {
  let { interactions } = running
  const entries = await owned.writer.appendUntilSaved(state => {
    const [next, events] = toEvents(running.interactions, contextOf(owned, running, state), items)
    interactions = next
    return isText ? events : withAnswers(state, events)
  })
  running.interactions = interactions
  return entries
}

/** What is known of an agent when its output becomes events. */
interface LineContext extends LineSource {
  readonly state: SessionState
  /** The interaction that this agent serves. */
  readonly serving: InteractionId | null
  /** Whether the journal has this connection. */
  readonly announced: boolean
}

function contextOf(owned: OwnedSession, running: RunningAgent, state: SessionState): LineContext {
  const { agent, id, serving, announced, ending } = running
  const isAsked = serving !== null && owned.interrupted === serving
  return {
    agent: agent.name,
    connection: id,
    newId: owned.host.newId,
    state,
    serving,
    announced,
    ending: ending ?? (isAsked ? stoppedByPerson : null),
    stopped: isAsked ? stoppedByPerson : (ending ?? stoppedByAgent),
  }
}

/** Turns translated items into events, in order. Pure except for new ids. */
function toEvents(
  before: LineInteractions,
  context: LineContext,
  items: readonly TranslatedItem[],
): AssignedEvents {
  let interactions = withState(before, context)
  const events = items.flatMap((item): readonly Event[] => {
    switch (item.type) {
      case 'connected':
        return [connectedEvent(context, item)]
      case 'handed-over':
        return [handoverEvent(context, item)]
      case 'line': {
        const [next, made] = assignInteraction(interactions, context, item)
        interactions = next
        return made
      }
      case 'logged':
        return [{ type: 'agent-logged', connection: context.connection, text: item.text }]
      case 'flush':
        return []
      case 'exited':
        return eventsClosingExitedAgent(context.state, context, item.exit)
    }
  })
  return [interactions, events]
}

/** Takes what the state knows. An agent that we ended adds nothing to an interaction that it does not serve: that one waits for the next agent. */
function withState(
  interactions: LineInteractions,
  { state, ending, serving }: LineContext,
): LineInteractions {
  const { pending } = state.summary
  const interaction = state.summary.running?.interaction ?? null
  const running = ending !== null && interaction !== serving ? null : interaction
  const error = running === interactions.running ? interactions.error : null
  return { ...interactions, running, pending, latest: running ?? interactions.latest, error }
}

type Of<Type extends TranslatedItem['type']> = Extract<TranslatedItem, { readonly type: Type }>

function connectedEvent({ agent, connection }: LineContext, { process, beginning }: Of<'connected'>): Event {
  return { type: 'agent-connected', agent, connection, process, ...continuationOf(beginning) }
}

function handoverEvent(
  { agent, connection }: LineContext,
  { interaction, handover }: Of<'handed-over'>,
): Event {
  const { way: how, agentSession, transcript, lost } = handover
  const facts = {
    interaction,
    agent,
    connection,
    how,
    agentSession,
    transcript: transcript && factsOf(transcript),
    ...(lost !== undefined && { lost }),
  }
  return { type: 'conversation-handed-over', ...facts }
}

/** The transcript itself is in the line that was sent. */
const factsOf = ({ messages, characters, omitted }: TranscriptFacts): TranscriptFacts => ({
  messages,
  characters,
  omitted,
})

/** Lets our own lines go out, now that they are saved. */
async function releaseLines({ host }: OwnedSession, items: readonly TranslatedItem[]): Promise<void> {
  for (const item of items) {
    if (item.type === 'flush') item.saved()
    if (item.type !== 'line' || item.saved === undefined) continue
    await host.checkpoint?.('before-send')
    item.saved()
    await host.checkpoint?.('after-send')
  }
}

/** After a batch: records whether the agent works or is idle, and starts the next prompt when an interaction has ended. */
function settleBatch(owned: OwnedSession, running: RunningAgent, entries: readonly Entry[]): void {
  const { summary, open } = owned.writer.state
  for (const { event } of entries) {
    if (event.type === 'agent-connected') running.announced = true
    if (event.type === 'interaction-started') running.serving = event.interaction
  }
  if (summary.running !== null) return running.slot.work()

  running.serving = null
  // Log output is not work, so it does not restart the idle time.
  if (!entries.every(({ event }) => event.type === 'agent-logged')) rest(running, open)
  if (entries.some(({ event }) => event.type === 'interaction-ended')) {
    owned.host.journal.mayPack(owned.writer.session)
    owned.proceed()
  }
}

function rest(running: RunningAgent, { messages }: OpenParts): void {
  const leave = (reason: string) => running.end({ outcome: 'interrupted', reason })
  const isBusy = messages.some(message => message.live || message.subagents.length > 0)
  if (isBusy) running.slot.linger(leave)
  else running.slot.rest(leave)
}
