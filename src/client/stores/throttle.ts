/** Does something soon after it was asked for, and at most once in a while. */
export interface Throttle {
  readonly ask: () => void
  readonly stop: () => void
}

/** Asked after a quiet while, it runs at once; asked again, it waits until the while is over. */
export function createThrottle(milliseconds: number, run: () => void): Throttle {
  let timer: ReturnType<typeof setTimeout> | null = null
  let asked = false
  const go = () => {
    asked = false
    timer = setTimeout(() => {
      timer = null
      if (asked) go()
    }, milliseconds)
    run()
  }
  return {
    ask() {
      asked = true
      if (timer === null) go()
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      asked = false
    },
  }
}
