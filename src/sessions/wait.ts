/** Waits some time; an abort ends the wait early and throws nothing. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
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

/** Whether something ends, well or badly, within some time. */
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
