import { createCaller, type Caller } from '../../client/call.ts'
import { UnreachableError } from '../../client/refusal.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import { wait } from '../../sessions/wait.ts'
import { findServer, type ServerPlace } from './find-server.ts'

/** A connection to the server of a data folder that survives restarts. */
export interface ServerLine {
  /** Sends a request. If the server is away, waits, finds it again and retries. */
  attempt<Result>(work: (caller: Caller) => Promise<Result>, options?: AttemptOptions): Promise<Result>
}

/** How long to retry. */
export interface AttemptOptions {
  readonly signal?: AbortSignal
  /** Whether to wait without a time limit. */
  readonly patient?: boolean
}

/** What a connection needs. */
export interface ServerLineOptions {
  readonly folder: string
  readonly place: ServerPlace
  /** Called once when the server goes away, and once when it is back. */
  readonly report: (sentence: string) => void
  readonly patienceMs?: number
}

const betweenMs = 200
const callMs = 30_000

/** Connects to a server that was found. */
export function createServerLine(options: ServerLineOptions): ServerLine {
  const { folder, report, patienceMs = 60_000 } = options
  let place: ServerPlace | null = options.place
  let caller: Caller | null = callerTo(place)
  let isAway = false

  const findAgain = () => {
    const found = findServer(folder)
    if (found?.url !== place?.url || found?.token !== place?.token) caller = found && callerTo(found)
    place = found
  }
  const missing = () => {
    if (!isAway) report('Lost the connection to the server. Retrying …')
    isAway = true
  }
  const back = () => {
    if (isAway) report('Reconnected to the server.')
    isAway = false
  }
  return {
    async attempt(work, { signal, patient = false } = {}) {
      for (const since = Date.now(); ; await wait(betweenMs, signal)) {
        try {
          if (caller === null) throw new UnreachableError('No server is running.', null)
          const result = await work(caller)
          back()
          return result
        } catch (error) {
          if (!isAwayFor(error) || signal?.aborted === true) throw error
          if (!patient && Date.now() - since > patienceMs) throw gone(folder, error)
          missing()
          findAgain()
        }
      }
    },
  }
}

const callerTo = ({ url, token }: ServerPlace) =>
  createCaller({ url, token, fetch: globalThis.fetch, timeoutMs: callMs })

const isAwayFor = (error: unknown) =>
  error instanceof UnreachableError ||
  isDragomanError(error, 'draining', 'journal-closed', 'data-folder-gone', 'writer-dead')

const gone = (folder: string, cause: unknown) =>
  new DragomanError(
    'server-gone',
    `The server for the data folder ${folder} stopped and did not come back. Everything it reported is saved. Start it again with "dragoman serve", or continue without it.`,
    { cause },
  )
