/** Waits between attempts, which end at once when the server may be back. */
export interface Pauses {
  /** One that is firm is not woken. */
  pause(milliseconds: number, isFirm?: boolean): Promise<void>
  wake(): void
  /** Nothing is to be tried any more: who waits is woken, to see it. */
  end(): void
  isOver(): boolean
}

/** Nobody waits yet. */
export function createPauses(): Pauses {
  const waiting = new Set<() => unknown>()
  let isOver = false
  const wakeAll = () => waiting.forEach(wake => wake())
  return {
    pause: (milliseconds, isFirm) =>
      new Promise(resolve => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const wake = () => (isOver || !isFirm) && end()
        const timer = setTimeout(end, isOver ? 0 : milliseconds)
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
