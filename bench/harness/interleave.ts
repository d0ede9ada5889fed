import { median, middleHalf } from './statistics.ts'

/** A short piece of work that gives one number. */
export type Slice = () => Promise<number>

/** The numbers of two kinds of slices that took turns, round by round. */
export interface Pairs {
  readonly ours: readonly number[]
  readonly peer: readonly number[]
}

/**
 * Lets slices take turns, ours and the peer's, so that what else happens on the machine meets both alike.
 * Every second round goes backwards: a drift within a round then favours neither. The first round only warms up.
 */
export async function interleave(rounds: number, ours: Slice, peer: Slice): Promise<Pairs> {
  const pairs = { ours: [] as number[], peer: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const isForward = round % 2 === 0
    const first = await (isForward ? ours : peer)()
    const second = await (isForward ? peer : ours)()
    if (round === 0) continue
    pairs.ours.push(isForward ? first : second)
    pairs.peer.push(isForward ? second : first)
  }
  return pairs
}

/** The median of the rounds' ratios, and their middle half. */
export function ratioOf(above: readonly number[], below: readonly number[]) {
  const ratios = above.map((value, round) => value / (below[round] ?? Number.NaN))
  return { ratio: median(ratios), spread: middleHalf(ratios) }
}
