import { isDeepStrictEqual } from 'node:util'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { retranslate, type ReadAgain } from './retranslate.ts'

/** An entry that today's translator translates differently. */
export interface Difference {
  readonly seq: number
  readonly stored: readonly ThreadChunk[]
  readonly now: readonly ThreadChunk[]
}

/** Translates every native line of a session with today's translators, and yields the differences from what is stored. */
export async function* compareTranslations(
  parts: ReadAgain,
  session: SessionId,
): AsyncGenerator<Difference, void, undefined> {
  for await (const { entry, chunks: now } of retranslate(parts, session)) {
    const stored = chunksOf(entry.event)
    if (!isDeepStrictEqual(plain(stored), plain(now))) yield { seq: entry.seq, stored, now }
  }
}

/** Stored chunks have been through JSON, which drops undefined fields. */
const plain = (chunks: readonly ThreadChunk[]) => JSON.parse(JSON.stringify(chunks)) as unknown
