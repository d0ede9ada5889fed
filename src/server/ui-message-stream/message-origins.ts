import type { Batch } from '../../journal/follow.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import type { ServerParts } from '../server-parts.ts'

/** Entries of a session that were read together. */
export interface Page extends Batch {
  readonly entries: readonly Entry[]
}

/** Reads entries, and knows the interactions of the messages that start or reopen in them. */
export interface MessageOrigins {
  read(after: number, limit: number): Page | Promise<Page>
  /** Whether a message belongs to an earlier interaction. */
  isOld(messageId: string, interaction: InteractionId): boolean
}

/** Looks up each message once, when its `start` is read. An unknown message is a new one. */
export function createMessageOrigins(
  { journal, catalogue }: ServerParts,
  session: SessionId,
): MessageOrigins {
  const origins = new Map<string, InteractionId | null>()
  const lookUp = (entries: readonly Entry[]): Page | Promise<Page> => {
    const page = { count: entries.length, entries }
    const ids = startsIn(entries).filter(id => !origins.has(id))
    if (ids.length === 0) return page
    const found = ids.map(async id => {
      const row = await catalogue.findMessage(session, id, null)
      origins.set(id, row?.interaction ?? null)
    })
    return Promise.all(found).then(() => page)
  }
  return {
    read(after, limit) {
      const found = journal.readHot(session, after, limit) ?? journal.read(session, after, limit)
      return 'then' in found ? found.then(lookUp) : lookUp(found)
    },
    isOld(messageId, interaction) {
      const origin = origins.get(messageId) ?? null
      return origin !== null && origin !== interaction
    },
  }
}

function startsIn(entries: readonly Entry[]): readonly string[] {
  const ids: string[] = []
  for (const { event } of entries)
    for (const { thread, chunk } of chunksOf(event))
      if (thread === null && chunk.type === 'start') ids.push(chunk.messageId)
  return ids
}
