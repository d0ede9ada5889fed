import { readFileSync } from 'node:fs'

const jiffiesPerSecond = 100
const children = new Set<number>()

/** Counts a child's work as ours, until disposed of. */
export function countAsOurs(pid: number): Disposable {
  children.add(pid)
  return { [Symbol.dispose]: () => void children.delete(pid) }
}

/** Begins to watch; the returned function gives how many cores others have kept busy since. */
export function watchOthers(): () => number {
  const begin = performance.now()
  const before = busyJiffies()
  const own = ownSeconds()
  return () => {
    const busy = (busyJiffies() - before) / jiffiesPerSecond
    return Math.max(0, busy - (ownSeconds() - own)) / ((performance.now() - begin) / 1000)
  }
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + [...children].reduce((sum, pid) => sum + cpuSeconds(pid), 0)
}

/** The processor time of a process since it started; nothing once it has ended. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / jiffiesPerSecond
  } catch {
    // It ended between two looks.
    return 0
  }
}

/** The processor time of all processors since the start of the machine. */
function busyJiffies(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return user + nice + system + interrupts + soft + stolen
}
