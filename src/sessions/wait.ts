/** A timer with a longer time would fire at once. */
const longestTimer = 2 ** 31 - 1

/** Waits some time. An abort ends the wait early, without an error. */
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  for (let left = milliseconds; ; left -= longestTimer) {
    await waitOnce(Math.min(left, longestTimer), signal)
    if (left <= longestTimer || signal?.aborted === true) return
  }
}

function waitOnce(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = () => resolve()
  const timer = setTimeout(wake, milliseconds)
  signal?.addEventListener('abort', wake, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', wake)
  })
}

/** Whether a promise settles within some time. */
export async function endsWithin(milliseconds: number, something: PromiseLike<unknown>): Promise<boolean> {
  const done = new AbortController()
  const ended = something.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([ended, wait(milliseconds, done.signal).then(() => false)])
  } finally {
    done.abort()
  }
}
