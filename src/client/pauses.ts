/** Waits between attempts, which end at once when the server may be back. */
export interface Pauses {
  /** A firm pause ignores `wake`. */
  pause(milliseconds: number, isFirm?: boolean): Promise<void>
  wake(): void
  /** Ends all waits, also the firm ones: there will be no further attempt. */
  end(): void
  isOver(): boolean
}

/** Starts without any waiting caller. */
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
