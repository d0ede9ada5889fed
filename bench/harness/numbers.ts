/** A number with three digits that count, and thousands set apart. */
function short(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US')
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3)
}

/** A time given in milliseconds. */
export const milliseconds = (value: number): string => `${short(value)} ms`

/** A rate per second, in thousands where that reads better. */
export const perSecond = (value: number): string =>
  value >= 10_000 ? `${short(value / 1000)}k/s` : `${short(value)}/s`
