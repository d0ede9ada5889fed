import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'

/**
 * The environment variable that marks all descendants of a child. Agents run commands in separate process sessions, and a
 * killed agent leaves them without a parent: then neither their group nor their parent shows where they came from.
 */
export const markName = 'DRAGOMAN_PROCESS'

/** The running processes with a mark in their environment. */
export function findMarked(mark: string): readonly number[] {
  try {
    return platform() === 'linux' ? findOnLinux(mark) : findByPs(mark)
  } catch {
    // For example without free file descriptors. The group is ended in any case.
    return []
  }
}

function findOnLinux(mark: string): readonly number[] {
  const line = `${markName}=${mark}`
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && environmentOf(name).includes(line))
    .map(Number)
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    // It has ended, or belongs to someone else.
    return []
  }
}

function findByPs(mark: string): readonly number[] {
  const output = execFileSync('ps', ['-Eaxww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = output.split('\n').filter(line => line.includes(`${markName}=${mark}`))
  return lines.map(line => Number.parseInt(line, 10)).filter(pid => pid > 1 && pid !== process.pid)
}
