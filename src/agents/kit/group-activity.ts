import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'

/** The activity of a process group: whether a process is ready to run, and how much CPU time the group has used. */
interface Activity {
  readonly isEager: boolean
  /** In hundredths of a second. */
  readonly computed: number
}

/** A program that only waits uses less than this between two checks. */
const least = 3

/**
 * Returns a function that reports whether a process group was active since its last call: it computed, or waited for its
 * share of a busy machine, or for a disk. A program that hangs is not active; one that is slow to start is.
 */
export function watchActivity(group: number): () => boolean {
  let before = 0
  return () => {
    const { isEager, computed } = activityOf(group)
    const isActive = isEager || computed - before >= least
    before = computed
    return isActive
  }
}

function activityOf(group: number): Activity {
  try {
    const all = platform() === 'linux' ? statsOnLinux(group) : statsByPs(group)
    return {
      isEager: all.some(({ state }) => /^[RD]/.test(state)),
      computed: all.reduce((sum, each) => sum + each.computed, 0),
    }
  } catch {
    // For example without free file descriptors: waiting too long is better than ending a program that works.
    return { isEager: true, computed: 0 }
  }
}

interface Stat {
  readonly state: string
  readonly computed: number
}

function statsOnLinux(group: number): readonly Stat[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8')
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
        const computed = Number(fields[11]) + Number(fields[12])
        return Number(fields[2]) === group ? [{ state: fields[0] ?? '', computed }] : []
      } catch {
        // The process has ended meanwhile.
        return []
      }
    })
}

function statsByPs(group: number): readonly Stat[] {
  const output = execFileSync('ps', ['-axo', 'pgid=,stat=,time='], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return output.split('\n').flatMap(line => {
    const [pgid, state = '', time = ''] = line.trim().split(/\s+/)
    if (Number(pgid) !== group) return []
    const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
    return [{ state, computed: Math.round(seconds * 100) }]
  })
}
