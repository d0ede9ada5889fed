import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'

/**
 * The environment variable by which we know what a child started, and what that started. Agents run commands in sessions of
 * their own, and an agent that is killed leaves them to nobody: neither group nor parent tells then whose they are.
 */
export const markName = 'DRAGOMAN_PROCESS'

/** The processes that bear a mark in their environment, those that have ended not among them. */
export function findMarked(mark: string): readonly number[] {
  try {
    return platform() === 'linux' ? findOnLinux(mark) : findByPs(mark)
  } catch {
    // Out of file descriptors, say. The group is ended in any case.
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
