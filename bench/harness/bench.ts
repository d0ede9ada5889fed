/** The goal of a ratio. */
interface Goal {
  readonly kind: 'at-least' | 'at-most'
  readonly ratio: number
}

/** One line of the table: ours beside a peer or limit, measured in the same run. */
export interface Measured {
  /** Which part of the bench, where it has several. */
  readonly part?: string
  readonly ours: string
  readonly peer: string
  /** The ratio as the goal counts it, or null when it could not be measured. */
  readonly ratio: number | null
  /** The middle half of the rounds, where there were several. */
  readonly spread?: readonly [low: number, high: number]
  readonly goal: Goal
  /** What bounds the number, or why there is no bound. */
  readonly note?: string
}

/** How long and how loud a bench may be. */
interface RunOptions {
  /** About how long the timed part may take. */
  readonly seconds: number
}

/** A benchmark: one ratio of ours against a peer or a limit. */
export interface Bench {
  readonly name: string
  /** The work. */
  readonly what: string
  /** The other program that does the same work. */
  readonly beside: string
  /** How it is measured, in one line. */
  readonly how: string
  /** How long the timed part takes by default. */
  readonly seconds: number
  run(options: RunOptions): Promise<readonly Measured[]>
}

/** The result of a bench, and how many cores others kept busy meanwhile. */
export interface Report {
  readonly measured: readonly Measured[]
  readonly others: number
}

/** Whether a measured ratio is as good as its goal; null when there is none. */
export function isReached({ ratio, goal }: Measured): boolean | null {
  if (ratio === null) return null
  return goal.kind === 'at-least' ? ratio >= goal.ratio : ratio <= goal.ratio
}
