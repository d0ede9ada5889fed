import { watchOthers } from './foreign-load.ts'
import { median, middleHalf } from './statistics.ts'

/** A short piece of work that gives one number. */
export type Slice = () => Promise<number>

interface Round {
  readonly values: readonly number[]
  /** How many cores others kept busy. */
  readonly others: number
}

const quiet = 0.3

/** So many rounds warm a server up: code that ran for a moment is not yet as fast as it gets, and servers run for days. */
export const serverWarmUps = 6

/**
 * Lets slices take turns, so that what else happens on the machine meets all alike; gives for each slice its
 * numbers, round by round. Each round begins with another slice: a drift within a round then favours none. The
 * first rounds only warm up. When others are busy there are up to twice as many rounds, and the quietest count.
 */
export async function interleave(
  rounds: number,
  slices: readonly Slice[],
  warmUps = 1,
): Promise<readonly (readonly number[])[]> {
  const taken: Round[] = []
  const isEnough = () => taken.filter(({ others }) => others < quiet).length >= rounds
  for (let turn = 0; turn < warmUps; turn++) await takeTurns(slices, turn)
  while (taken.length < rounds * 2 && !isEnough()) {
    const othersSince = watchOthers()
    taken.push({ values: await takeTurns(slices, taken.length), others: othersSince() })
  }
  const best = taken.toSorted((a, b) => a.others - b.others).slice(0, rounds)
  return slices.map((_, index) => best.map(({ values }) => values[index] ?? Number.NaN))
}

async function takeTurns(slices: readonly Slice[], first: number): Promise<readonly number[]> {
  const values: number[] = []
  for (let turn = 0; turn < slices.length; turn++) {
    const index = (first + turn) % slices.length
    values[index] = (await slices[index]?.()) ?? Number.NaN
  }
  return values
}

/** The median of the rounds' ratios, and their middle half. */
export function ratioOf(above: readonly number[], below: readonly number[]) {
  const ratios = above.map((value, round) => value / (below[round] ?? Number.NaN))
  return { ratio: median(ratios), spread: middleHalf(ratios) }
}
