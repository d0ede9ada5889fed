import type { EventOf } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'

/** What set an interaction going, as a message; null when it began without words. */
export function userMessage(event: EventOf<'interaction-started'>): Message | null {
  if (event.parts.length === 0) return null
  return { id: event.prompt ?? `${event.interaction}:user`, role: event.role ?? 'user', parts: event.parts }
}
