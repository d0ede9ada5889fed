import { setTimeout as sleep } from 'node:timers/promises'
import { findMarked } from './marked-processes.ts'
import { identifyProcess, isGroupAlive } from './process-identity.ts'

const lookEvery = 40

/**
 * Ends a process group, and every other process with its mark: with SIGTERM first, and SIGKILL after a grace period in
 * milliseconds. Returns whether it had to kill.
 */
export function endGroup(group: number, grace: number, mark?: string): Promise<'asked' | 'killed'> {
  const others = mark === undefined ? () => [] : watchMarked(mark)
  return endAll(
    () => [-group, ...others()],
    () => isGroupAlive(group) || others().length > 0,
    grace,
  )
}

/** Ends all processes with a mark, in the same way. */
export function endMarked(mark: string, grace: number): Promise<'asked' | 'killed'> {
  const marked = watchMarked(mark)
  return endAll(marked, () => marked().length > 0, grace)
}

/** The processes with a mark. One that was found counts until it has ended: its mark disappears a moment before it does. */
function watchMarked(mark: string): () => readonly number[] {
  const met = new Map<number, string | undefined>()
  return () => {
    for (const pid of findMarked(mark)) if (!met.has(pid)) met.set(pid, identifyProcess(pid)?.startedAt)
    return [...met.keys()].filter(pid => {
      const now = identifyProcess(pid)
      return now?.alive === true && now.startedAt === met.get(pid)
    })
  }
}

async function endAll(
  targets: () => readonly number[],
  isAlive: () => boolean,
  grace: number,
): Promise<'asked' | 'killed'> {
  signalAll(targets(), 'SIGTERM')
  if (await isGone(isAlive, grace)) return 'asked'
  signalAll(targets(), 'SIGKILL')
  await isGone(isAlive, grace)
  return 'killed'
}

function signalAll(targets: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const target of targets)
    try {
      process.kill(target, signal)
    } catch {
      // It has already ended.
    }
}

async function isGone(isAlive: () => boolean, within: number): Promise<boolean> {
  const until = performance.now() + within
  while (isAlive()) {
    if (performance.now() >= until) return false
    await sleep(lookEvery)
  }
  return true
}
