/** The value below which the given share of the values lies. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

/** The middle value. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The middle half of the values. */
export const middleHalf = (values: readonly number[]): readonly [number, number] => [
  quantile(values, 0.25),
  quantile(values, 0.75),
]
