/** Memory of this process, tidied by the collector. */
export interface MemoryHeld {
  /** As the system counts it: with what the allocator keeps for later, which is much after a flood. */
  readonly resident: number
  /** The memory in use: the heap, and the buffers beside it. */
  readonly used: number
}

/** Looks after the collector has been everywhere. */
export function memoryHeld(): MemoryHeld {
  for (let times = 0; times < 4; times++) globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss, used: heapUsed + external }
}
