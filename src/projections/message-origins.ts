import type { Chunk } from '../protocol/chunk.ts'
import type { Event } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { SnapshotSeed } from './snapshot-seed.ts'
import type { MessageOrigin, PlacedMessage } from './stored-message.ts'

/** Knows where messages come from. */
export interface MessageOrigins {
  /** Learns from an event which agent is at work, and for whom. */
  event(event: Event): void
  /** Learns from a chunk which message holds which calls. */
  chunk(message: string, chunk: Chunk): void
  /** The origin of a message that begins with an event, after the newest of its thread. */
  of(shown: PlacedMessage, newest: string | null, event: Event): MessageOrigin
}

/** Begins before the first entry, or at a snapshot. */
export function createMessageOrigins(seed?: SnapshotSeed): MessageOrigins {
  /** Who works in each interaction. */
  const interactions = new Map<InteractionId | null, Omit<MessageOrigin, 'parent'>>()
  /** The message that holds the call that a thread is named after. */
  const callers = new Map<string | null, string>()
  /** The agent that sends messages outside of every interaction. */
  let agent = seed?.session.agent ?? ''
  for (const { messageId, calls, subagents } of seed?.continuation.open.messages ?? [])
    for (const id of [...calls.map(call => call.toolCallId), ...subagents.map(each => each.id)])
      callers.set(id, messageId)
  for (const { interaction, agent: by, synthetic, message } of seed?.messages ?? []) {
    if (interaction !== null) interactions.set(interaction, { agent: by, synthetic })
    for (const part of message.parts)
      if (part.type === 'dynamic-tool') callers.set(part.toolCallId, message.id)
  }
  const running = seed?.session.running
  if (running) interactions.set(running.interaction, { agent, synthetic: running.trigger !== 'user' })
  return {
    event(event) {
      if ('agent' in event) agent = event.agent
      if (event.type === 'interaction-started')
        interactions.set(event.interaction, { agent, synthetic: event.trigger !== 'user' })
    },
    chunk(message, chunk) {
      if (chunk.type === 'tool-input-start' || chunk.type === 'tool-input-available')
        callers.set(chunk.toolCallId, message)
    },
    of({ interaction, thread }, newest, event) {
      const by = interactions.get(interaction) ?? { agent, synthetic: true }
      const isMoved = event.type === 'interaction-started' && event.parent !== undefined
      return { ...by, parent: isMoved ? event.parent : (newest ?? callers.get(thread) ?? null) }
    },
  }
}
