import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/**
 * Expects what `toEqual` expects, for comparisons that are made thousands of times. Values that are equal by Node's
 * stricter and far faster comparison pass at once. Vitest compares the others, and shows the difference.
 */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}
