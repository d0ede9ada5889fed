import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { platform } from 'node:os'
import { markName } from './marked-processes.ts'

/** Reads marks until this process is gone, for whatever reason, and then ends all processes with one of them. */
const script = `
marks=
while read -r mark; do marks="$marks${markName}=$mark
"; done
for signal in TERM KILL; do
  found=$(printf %s "$marks" | grep -lsFf - /proc/[0-9]*/environ)
  [ -z "$found" ] && exit
  for file in $found; do pid=\${file#/proc/}; kill -$signal "\${pid%/environ}"; done
  sleep 2
done`

let guardian: Writable | null = null

/**
 * Makes sure that the processes with a mark end as soon as this process does, even if it is killed: a small helper process
 * outlives it. On systems other than Linux there is no helper, and the next start ends them.
 */
export function guard(mark: string): void {
  if (platform() !== 'linux') return
  guardian ??= startGuardian()
  guardian?.write(`${mark}\n`)
}

function startGuardian(): Writable | null {
  try {
    const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin' }
    const child = spawn('/bin/sh', ['-c', script, 'dragoman-guardian'], {
      env,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const forget = () => {
      guardian = null
    }
    child.on('error', forget)
    child.on('exit', forget)
    child.stdin.on('error', forget)
    child.unref()
    // The helper must not keep this process alive.
    ;(child.stdin as Writable & { unref?: () => void }).unref?.()
    return child.stdin
  } catch {
    // For example without free processes or file descriptors: then the next start ends them.
    return null
  }
}
