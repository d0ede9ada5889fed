import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'

/** What distinguishes a process from all others that ever had or will have its pid. */
export interface ProcessIdentity {
  /** Its start time in the system's own format, with the boot that it is counted from. */
  readonly startedAt: string
  /** Whether it still runs; a zombie does not. */
  readonly alive: boolean
}

/** Looks up a process by its pid; undefined if there is none. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  return platform() === 'linux' ? identifyOnLinux(pid) : identifyByPs(pid)
}

/** Whether any process of a group still runs. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  // The signal also reaches zombies.
  return platform() !== 'linux' || hasLiveMember(group)
}

interface Stat {
  readonly state: string
  readonly group: number
  readonly start: string
}

const isAlive = (state: string) => state !== 'Z' && state !== 'X'

function hasLiveMember(group: number): boolean {
  try {
    return readdirSync('/proc').some(name => {
      const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined
      return stat?.group === group && isAlive(stat.state)
    })
  } catch {
    // For example without free file descriptors: one signal too many is better than one too few.
    return true
  }
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name is in brackets and may itself contain brackets and spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, group, start] = [fields[0], fields[2], fields[19]]
    return state && group && start ? { state, group: Number(group), start } : undefined
  } catch {
    return undefined
  }
}

function identifyOnLinux(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid)
  if (!stat) return undefined
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  return { startedAt: `${boot} ${stat.start}`, alive: isAlive(stat.state) }
}

function identifyByPs(pid: number): ProcessIdentity | undefined {
  try {
    const output = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const line = output.trim()
    const [state = ''] = line.split(/\s/, 1)
    const startedAt = line.slice(state.length).trim()
    return startedAt === '' ? undefined : { startedAt, alive: !state.startsWith('Z') }
  } catch {
    return undefined
  }
}
