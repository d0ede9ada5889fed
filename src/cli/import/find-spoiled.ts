import { filesBelow, troubleWith } from '../../agents/kit/transcript-files.ts'
import type { FindSpoiled, Unread } from '../../sessions/import/find-transcripts.ts'

/** Finds files that are named like transcripts and cannot be read. */
export const findSpoiled: FindSpoiled = async (path, known) => {
  const spoiled: Unread[] = []
  for await (const file of filesBelow(path)) {
    if (known.has(file) || !/\.jsonl(\.gz|\.zst)?$/.test(file)) continue
    const reason = await troubleWith(file)
    if (reason !== null) spoiled.push({ file, reason })
  }
  return spoiled
}
