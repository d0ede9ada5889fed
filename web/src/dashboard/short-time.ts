/** Milliseconds as an axis writes them: 45 s, 5 min, 1.5 h. */
export function shortTime(ms: number): string {
  const one = (value: number) => String(Number(value.toFixed(1)))
  if (ms === 0) return '0'
  if (ms < 60_000) return `${one(ms / 1000)} s`
  if (ms < 3_600_000) return `${one(ms / 60_000)} min`
  return `${one(ms / 3_600_000)} h`
}
