import type { CommandOf } from '../protocol/command.ts'
import type { LiveSession } from './live-session.ts'
import type { Reply } from './reply.ts'

/** Gives a session another title. */
export async function rename(live: LiveSession, { title }: CommandOf<'rename'>): Promise<Reply<'rename'>> {
  const [entry] = await live.wish(pen => pen.append([{ type: 'session-renamed', title }]))
  return { seq: entry?.seq ?? 0 }
}
