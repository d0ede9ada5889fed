/** A duration for people: `12 s`, `2 min 5 s`, `1 h 3 min`. */
export function timeSpent(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return joined(`${minutes} min`, seconds % 60, 's')
  return joined(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min')
}

const joined = (large: string, rest: number, unit: string) =>
  rest === 0 ? large : `${large} ${rest} ${unit}`
