import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** Asks for an address again and again for some milliseconds, in a thread whose own work is nothing else; gives the slowest answer. */
const { address, length } = workerData as { readonly address: string; readonly length: number }
// The first answers are slow because of this thread: it loads what it asks with.
for (let count = 0; count < 20; count += 1) await (await fetch(address)).text()
const end = performance.now() + length
let most = 0
while (performance.now() < end) {
  const begin = performance.now()
  await (await fetch(address)).text()
  most = Math.max(most, performance.now() - begin)
  await sleep(2)
}
parentPort?.postMessage(most)
