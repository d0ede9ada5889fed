import type { Shell } from '../shell.ts'

const lateMs = 9000

/**
 * Resolves when the process is asked to stop. On a second request, or when shutdown takes too long, the process exits at
 * once.
 */
export function stopRequested(shell: Shell): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let times = 0
  // Never disposed of, because a second signal during shutdown must exit at once.
  shell.guard(cause => {
    // The server keeps running even if its output is no longer read.
    if (cause === 'reader-gone') return
    times += 1
    if (times > 1) shell.exit(1)
    if (shell.out.isTerminal) shell.out.write('\nStopping. Press Ctrl-C again to quit at once.\n')
    setTimeout(() => cutShort(shell), lateMs).unref()
    resolve()
  })
  return promise
}

function cutShort(shell: Shell): void {
  shell.err.write('Shutdown took too long and was cut short. Saved data is safe.\n')
  shell.exit(1)
}
