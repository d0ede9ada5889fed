/** A piece of a text: where it begins and ends. */
export type Range = readonly [from: number, to: number]

/** A text, and the same in lower case. */
export interface Folded {
  readonly text: string
  readonly folded: string
}
