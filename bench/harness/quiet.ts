import { setTimeout as sleep } from 'node:timers/promises'

const window = 10
const busyShare = 0.2

/**
 * Waits until no thread of this process works any more, and gives how long there was work. What a store
 * does behind its answers (packing, checkpoints) is its cost, and must not fall into the next slice.
 */
export async function workLeft(): Promise<number> {
  const begin = performance.now()
  for (;;) {
    const before = process.cpuUsage()
    const started = performance.now()
    await sleep(window)
    const { user, system } = process.cpuUsage(before)
    const share = (user + system) / 1000 / (performance.now() - started)
    if (share < busyShare) return started - begin
  }
}
