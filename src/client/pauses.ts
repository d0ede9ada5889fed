/** Waits between attempts, which end at once when the network may be back. */
export interface Pauses {
  pause(milliseconds: number): Promise<void>
  wake(): void
  /** Nothing is to be tried any more: who waits is woken, to see it. */
  end(): void
  isOver(): boolean
}

/** Nobody waits yet. */
export function createPauses(): Pauses {
  const waiting = new Set<() => void>()
  let isOver = false
  const wakeAll = () => waiting.forEach(wake => wake())
  return {
    pause: milliseconds =>
      new Promise(resolve => {
        const wake = () => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, isOver ? 0 : milliseconds)
        waiting.add(wake)
      }),
    wake: wakeAll,
    end() {
      isOver = true
      wakeAll()
    },
    isOver: () => isOver,
  }
}
