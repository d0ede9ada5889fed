const hourMs = 3_600_000

/** How long a block is: many subscriptions count their limits in blocks of five hours. */
export const blockMs = 5 * hourMs

/**
 * The beginnings of blocks, given the hours with any activity in ascending order. A block begins at the full hour (UTC) of the
 * first activity after the block before it.
 */
export function blocksIn(hours: Iterable<number>): readonly number[] {
  const blocks: number[] = []
  for (const hour of hours) {
    const last = blocks.at(-1)
    if (last === undefined || hour >= last + blockMs) blocks.push(hour)
  }
  return blocks
}

/** The block that an hour belongs to. */
export function blockAt(blocks: readonly number[], hour: number): number {
  let [low, high] = [0, blocks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((blocks[middle] ?? 0) <= hour) low = middle + 1
    else high = middle
  }
  return blocks[low - 1] ?? hour
}
