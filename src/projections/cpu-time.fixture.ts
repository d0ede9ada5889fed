/** The clock of a thread has coarse ticks, so work is repeated until it took this many milliseconds. */
const least = 200

/** Milliseconds of processor time that this thread takes for some work that is done once. */
export async function cpuTimeOnce(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Milliseconds of processor time that this thread takes for some work: others who are busy do not count. */
export function cpuTime(work: () => void): number {
  const before = process.threadCpuUsage()
  for (let times = 1; ; times += 1) {
    work()
    const { user, system } = process.threadCpuUsage(before)
    const took = (user + system) / 1000
    if (took >= least) return took / times
  }
}
