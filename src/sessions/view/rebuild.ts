import { isDeepStrictEqual } from 'node:util'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { retranslate, type ReadAgain } from './retranslate.ts'

/** An entry whose words mean something else today. */
export interface Difference {
  readonly seq: number
  readonly stored: readonly ThreadChunk[]
  readonly now: readonly ThreadChunk[]
}

/** Translates every native word of a session with today's translators, and tells where that differs from what is stored. */
export async function* rebuild(
  parts: ReadAgain,
  session: SessionId,
): AsyncGenerator<Difference, void, undefined> {
  for await (const { entry, chunks: now } of retranslate(parts, session)) {
    const stored = chunksOf(entry.event)
    if (!isDeepStrictEqual(plain(stored), plain(now))) yield { seq: entry.seq, stored, now }
  }
}

/** What is stored goes through JSON, which leaves out what is undefined. */
const plain = (chunks: readonly ThreadChunk[]) => JSON.parse(JSON.stringify(chunks)) as unknown
