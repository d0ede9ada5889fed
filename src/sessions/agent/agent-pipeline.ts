import type { SessionState } from '../../catalogue/session-state.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { OpenParts } from '../../protocol/open-parts.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { stoppedByPerson } from './ending.ts'
import type { ConnectionItem } from './read-connection.ts'
import { withAnswers } from './rules.ts'
import type { RunningAgent } from './running-agent.ts'
import { toEvents, type LineContext, type TranslatedItem } from './to-events.ts'
import { translateLine, type TranslationState } from '../translation/translate-line.ts'

/**
 * The straight path of an agent's output, from its first line to its exit:
 *
 * 1. `read-connection.ts` reads lines, log text and the exit in order, in bounded batches;
 * 2. each line is translated once, by `createItemTranslator`, while the batch before it is being saved;
 * 3. `toEvents` makes events of a batch, and decides which interaction each line belongs to;
 * 4. the events are saved; the journal numbers them and rings the bell;
 * 5. only then is a line of ours sent to the agent;
 * 6. the agent's slot is updated, and the next queued prompt may start.
 */
export async function saveAgentOutput(owned: OwnedSession, running: RunningAgent): Promise<void> {
  const { checkpoint } = owned.host
  for await (const items of running.output) {
    await checkpoint('translated')
    await loadReopened(owned, running, items)
    const entries = await save(owned, running, items)
    await send(owned, items)
    updateSlot(owned, running, entries)
  }
}

/** Translates the lines of a connection as they come, each in the light of those before it. */
export function createItemTranslator(first: TranslationState): (item: ConnectionItem) => TranslatedItem {
  let state = first
  return item => {
    if (item.type !== 'line') return item
    const [next, chunks] = translateLine(state, item.from, item.raw)
    state = next
    const { type, from, raw, saved } = item
    return { type, from, raw, chunks, ...(saved !== undefined && { saved }) }
  }
}

/** Finds the interactions of messages that began in an earlier connection and that a resumed agent opens again. */
async function loadReopened(
  { host: { catalogue }, record: { session } }: OwnedSession,
  running: RunningAgent,
  items: readonly TranslatedItem[],
): Promise<void> {
  if (running.beginning.resume === null) return
  for (const { thread, chunk } of items.flatMap(item => (item.type === 'line' ? item.chunks : []))) {
    if (chunk.type !== 'start' || running.owners.messages.has(chunk.messageId)) continue
    // A table that cannot be read must not cost the agent's output: the message then counts as new.
    const message = await catalogue.findMessage(session, chunk.messageId, thread).catch(() => undefined)
    if (message === undefined) continue
    const messages = new Map(running.owners.messages).set(message.id, message.interaction)
    running.owners = { ...running.owners, messages }
  }
}

/** Makes events and saves them, retried if need be; the owners of interactions move on only when they are saved. */
async function save(
  owned: OwnedSession,
  running: RunningAgent,
  items: readonly TranslatedItem[],
): Promise<readonly Entry[]> {
  let { owners } = running
  const entries = await owned.appendUntilSaved(state => {
    const [next, events] = toEvents(running.owners, contextOf(owned, running, state), items)
    owners = next
    return withAnswers(state, events)
  })
  running.owners = owners
  return entries
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
  }
}

/** Lets our own lines go out, now that they are saved. */
async function send({ host: { checkpoint } }: OwnedSession, items: readonly TranslatedItem[]): Promise<void> {
  for (const item of items) {
    if (item.type === 'flush') item.saved()
    if (item.type !== 'line' || item.saved === undefined) continue
    await checkpoint('before-send')
    item.saved()
    await checkpoint('after-send')
  }
}

/** Notes, after something was saved, whether the agent works or rests, and starts the next prompt when its turn has come. */
function updateSlot(owned: OwnedSession, running: RunningAgent, entries: readonly Entry[]): void {
  const { summary, open } = owned.record.state
  for (const { event } of entries) {
    if (event.type === 'agent-connected') running.announced = true
    if (event.type === 'interaction-started') running.serving = event.interaction
  }
  if (summary.running !== null) return running.slot.work()

  running.serving = null
  // Log output is not work, and does not keep it here.
  if (!entries.every(({ event }) => event.type === 'agent-logged')) rest(running, open)
  if (entries.some(({ event }) => event.type === 'interaction-ended')) {
    owned.host.journal.rest(owned.record.session)
    owned.proceed()
  }
}

function rest(running: RunningAgent, { messages }: OpenParts): void {
  const leave = (reason: string) => running.end({ outcome: 'interrupted', reason })
  const isBusy = messages.some(message => message.live || message.subagents.length > 0)
  if (isBusy) running.slot.linger(leave)
  else running.slot.rest(leave)
}
