/** Milliseconds of processor time that this thread took for some work: others who are busy do not count. */
export function cpuTime(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The least that it took in so many tries. */
export const leastCpuTime = (tries: number, work: () => void): number =>
  Math.min(...Array.from({ length: tries }, () => cpuTime(work)))
