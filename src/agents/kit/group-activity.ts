import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'

/** What the processes of a group are at: whether one of them could run at once, and how much they have computed. */
interface Activity {
  readonly isEager: boolean
  /** In hundredths of a second. */
  readonly computed: number
}

/** Less than this between two looks is what a program does that only waits. */
const least = 3

/**
 * Tells, each time that it is asked, whether a process group has done something since the last time: computed, waited for its
 * share of a busy machine, or for a disk. A program that hangs does none of it, and one that is slow to start does.
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
    // Out of file descriptors, say: rather wait too long than end a program that does its best.
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
        // It has ended meanwhile.
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
