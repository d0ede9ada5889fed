import type { CommandOf } from '../../protocol/command.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Gives a session another title. */
export async function rename(owned: OwnedSession, { title }: CommandOf<'rename'>): Promise<Reply<'rename'>> {
  const [entry] = await owned.write(appender => appender.append([{ type: 'session-renamed', title }]))
  return { seq: entry?.seq ?? 0 }
}
