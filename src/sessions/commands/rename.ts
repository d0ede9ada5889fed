import type { CommandOf } from '../../protocol/command.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Reply } from './reply.ts'

/** Changes the title of a session. */
export async function rename(owned: OwnedSession, { title }: CommandOf<'rename'>): Promise<Reply<'rename'>> {
  const [entry] = await owned.write(appender => appender.append([{ type: 'session-renamed', title }]))
  return { seq: entry?.seq ?? 0 }
}
