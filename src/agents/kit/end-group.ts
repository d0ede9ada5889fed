import { setTimeout as sleep } from 'node:timers/promises'
import { isGroupAlive } from './process-identity.ts'

const lookEvery = 40

/** Ends a process group: asks first, and after a grace in milliseconds makes it. Says whether it had to. */
export async function endGroup(group: number, grace: number): Promise<'asked' | 'killed'> {
  signalGroup(group, 'SIGTERM')
  if (await isGone(group, grace)) return 'asked'
  signalGroup(group, 'SIGKILL')
  await isGone(group, grace)
  return 'killed'
}

function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-group, signal)
  } catch {
    // It has ended by itself.
  }
}

async function isGone(group: number, within: number): Promise<boolean> {
  const until = performance.now() + within
  while (isGroupAlive(group)) {
    if (performance.now() >= until) return false
    await sleep(lookEvery)
  }
  return true
}
