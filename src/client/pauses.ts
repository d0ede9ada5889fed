/** Waits between attempts, which end at once when the network may be back. */
export interface Pauses {
  pause(milliseconds: number): Promise<void>
  wake(): void
}

/** Nobody waits yet. */
export function createPauses(): Pauses {
  const waiting = new Set<() => void>()
  return {
    pause: milliseconds =>
      new Promise(resolve => {
        const wake = () => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, milliseconds)
        waiting.add(wake)
      }),
    wake: () => waiting.forEach(wake => wake()),
  }
}
