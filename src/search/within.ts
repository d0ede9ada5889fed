/** Waits for a promise, but only for a time. A quiet wait does not keep the process alive. */
export async function within(milliseconds: number, promise: Promise<void>, isQuiet = false): Promise<void> {
  const time = Promise.withResolvers<void>()
  const timer = setTimeout(time.resolve, milliseconds)
  if (isQuiet) timer.unref()
  await Promise.race([promise, time.promise])
  clearTimeout(timer)
}
