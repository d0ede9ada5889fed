import { readFileSync } from 'node:fs'

const jiffiesPerSecond = 100

/** Begins to watch; the returned function gives how many cores others have kept busy since. */
export function watchOthers(): () => number {
  const begin = performance.now()
  const before = busyJiffies()
  const own = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(own)
    const busy = (busyJiffies() - before) / jiffiesPerSecond
    return Math.max(0, busy - (user + system) / 1e6) / ((performance.now() - begin) / 1000)
  }
}

/** What all processors have worked since the start of the machine. */
function busyJiffies(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return user + nice + system + interrupts + soft + stolen
}
