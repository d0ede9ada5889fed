import type { OwnedSession } from './owned-session.ts'
import type { RunningAgent } from './running-agent.ts'
import type { Understood } from './understand.ts'

/** Remembers messages of earlier connections that an agent, picked up again, opens once more. */
export async function recall(
  { host: { catalogue }, record: { session } }: OwnedSession,
  running: RunningAgent,
  understood: readonly Understood[],
): Promise<void> {
  if (running.beginning.resume === null) return
  for (const { thread, chunk } of understood.flatMap(item => (item.type === 'said' ? item.chunks : []))) {
    if (chunk.type !== 'start' || running.memory.messages.has(chunk.messageId)) continue
    // A table that cannot be read must not cost the agent's words: they then count as new.
    const message = await catalogue.findMessage(session, chunk.messageId, thread).catch(() => undefined)
    if (message === undefined) continue
    const messages = new Map(running.memory.messages).set(message.id, message.interaction)
    running.memory = { ...running.memory, messages }
  }
}
