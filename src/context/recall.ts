import type { Part } from './formats/conversation.ts'
import type { History } from './history.ts'
import { recallId } from './placeholder.ts'

/** A part as it was, by its id or by the short name that its placeholder gives; null when there is none. */
export function recall(
  { messages, system }: Pick<History, 'messages' | 'system'>,
  name: string,
): Part | null {
  const isMeant = ({ id }: Part) => id === name || recallId(id) === name
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const found = messages[at]?.message.parts.find(isMeant)
    if (found !== undefined) return found
  }
  return system.find(isMeant) ?? null
}
