import type { Entry } from '../../protocol/entry.ts'

/** The last entry that was saved by a moment, found in as few looks as can be; 0 when all came later. */
export async function findMoment(
  at: number,
  head: number,
  entryAt: (seq: number) => Promise<Entry | undefined>,
): Promise<number> {
  let [before, after] = [0, head + 1]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    const entry = await entryAt(middle)
    if (entry !== undefined && entry.at <= at) before = middle
    else after = middle
  }
  return before
}
