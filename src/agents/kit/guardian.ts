import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { platform } from 'node:os'
import { markName } from './marked-processes.ts'

/** Reads marks until we are gone, however that came about, and then ends all that bears one: asks first, then makes it. */
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
 * Lets what bears a mark be ended as soon as this process is no more, even when it was killed: a small process outlives it for
 * that. Where there is none, on other systems than Linux, the next start ends what was left.
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
    // It is there for us, and not we for it.
    ;(child.stdin as Writable & { unref?: () => void }).unref?.()
    return child.stdin
  } catch {
    // Out of processes or file descriptors, say: then the next start ends what is left.
    return null
  }
}
