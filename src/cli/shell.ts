import { createOutput, type Environment, type Output } from './terminal/output.ts'

/** 0 fine, 1 failed, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2

/** Why a command has to stop. */
export type EndCause = 'interrupt' | 'terminate' | 'reader-gone'

/** What a command sees of the process it runs in. */
export interface Shell {
  readonly stdin: NodeJS.ReadStream
  readonly out: Output
  readonly err: Output
  readonly env: Environment
  readonly cwd: string
  /** What a server waits for once it has found a free port, as `npm start` builds the web app; until the signal cancels it. */
  beforeServing?(signal: AbortSignal): Promise<void>
  /** Calls back instead of exiting when the process has to stop, until disposed of. */
  guard(end: (cause: EndCause) => void): Disposable
  /** Exits at once. */
  exit(code: ExitCode): never
}

const causes = { SIGINT: 'interrupt', SIGTERM: 'terminate', SIGHUP: 'terminate' } as const

/** The shell of this process. */
export function createShell(): Shell {
  const { stdin, stdout, stderr, env } = process
  let guarding: ((cause: EndCause) => void) | null = null
  // A reader like "head" that closes early is not a failure.
  const readerGone = () => (guarding === null ? process.exit(0) : guarding('reader-gone'))
  return {
    stdin,
    out: createOutput(stdout, env, readerGone),
    err: createOutput(stderr, env, () => {}),
    env,
    cwd: process.cwd(),
    exit: code => process.exit(code),
    guard(end) {
      const handlers = Object.entries(causes).map(([name, cause]) => [name, () => end(cause)] as const)
      for (const [name, handle] of handlers) process.on(name, handle)
      guarding = end
      return {
        [Symbol.dispose]() {
          for (const [name, handle] of handlers) process.off(name, handle)
          guarding = null
        },
      }
    },
  }
}
