import type { EventOf } from '../protocol/event.ts'
import type { Message } from '../protocol/message.ts'

/** The prompt of an interaction as a message; null when it has no parts. */
export function userMessage(event: EventOf<'interaction-started'>): Message | null {
  if (event.parts.length === 0) return null
  return { id: event.prompt ?? `${event.interaction}:user`, role: event.role ?? 'user', parts: event.parts }
}
