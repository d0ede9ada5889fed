/** A defect that can be planted: one exact text of a file, replaced by another. */
export interface Mutant {
  readonly id: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly from: string
  readonly to: string
  readonly wrong: string
  /** The test files that are expected to notice it. */
  readonly tests: readonly string[]
  /** A part of the names of the tests in them that are enough, where the others take long. */
  readonly name?: string
}
