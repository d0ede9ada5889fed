import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Lets all other threads go first. Only Linux has a priority for each thread. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    const thread = readlinkSync('/proc/thread-self').split('/').at(-1)
    setPriority(Number(thread), constants.priority.PRIORITY_LOW)
  } catch {
    // Without /proc, or where it is not allowed, the thread keeps its priority.
  }
}
