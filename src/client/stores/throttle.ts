/** Does something soon after it was asked for, at most once in a while, and never twice at a time. */
export interface Throttle {
  readonly ask: () => void
  /** Cancels a pending run. */
  readonly stop: () => void
}

/** Asked after a quiet while, it runs at once; asked again, it waits until the while is over and the work done. */
export function createThrottle(milliseconds: number, run: () => unknown): Throttle {
  let [isBusy, isAsked] = [false, false]
  const go = async () => {
    isBusy = true
    isAsked = false
    try {
      await Promise.all([run(), new Promise(resolve => setTimeout(resolve, milliseconds))])
    } finally {
      isBusy = false
      if (isAsked) void go()
    }
  }
  return {
    ask() {
      isAsked = true
      if (!isBusy) void go()
    },
    stop() {
      isAsked = false
    },
  }
}
