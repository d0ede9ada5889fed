import type { Room } from './room.ts'
import { untilIdle } from './steps.ts'

/** A finished session; every request of its agent is allowed. */
export async function talkedSession(room: Room, words: string, title: string): Promise<string> {
  const { id } = await room.client.createSession({ title })
  const session = room.client.session(id)
  const stop = session.pendingApprovals.subscribe(pending => {
    for (const approval of pending) void session.answer(approval.id, { approved: true }).catch(() => null)
  })
  await session.prompt(words).saved
  await untilIdle(room, id)
  stop()
  return id
}

/** A session whose agent waits for an answer. */
export async function askingSession(room: Room, words: string, title: string): Promise<string> {
  const { id } = await room.client.createSession({ title })
  const session = room.client.session(id)
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = session.pendingApprovals.subscribe(pending => pending.length > 0 && resolve())
  await session.prompt(words).saved
  await promise
  stop()
  return id
}

/** An imported conversation of so many numbered messages. */
export async function longSession({ client }: Pick<Room, 'client'>, count: number): Promise<string> {
  const messages = Array.from({ length: count }, (_, at) => ({
    id: `message-${at}`,
    role: at % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `Message ${at}. ${'Words that were said. '.repeat(2 + (at % 9))}` }],
  }))
  const { id } = await client.createSession({
    title: `${count} messages`,
    legacy: { format: 'ui', messages },
  })
  return id
}
