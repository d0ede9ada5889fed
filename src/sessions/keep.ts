import type { SessionState } from '../catalogue/session-state.ts'
import type { Entry } from '../protocol/entry.ts'
import { isDragomanError, type DragomanError, type ErrorCode } from '../protocol/error.ts'
import type { Event } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Line, Pen } from './line.ts'
import { sentence } from './sentence.ts'
import { wait } from './wait.ts'

/** A session whose words cannot be saved at the moment. */
export interface Trouble {
  readonly session: SessionId
  readonly code: ErrorCode
  readonly message: string
  readonly since: number
}

/** How a session's words get into its line. */
export interface Keeper {
  readonly trouble: Trouble | null
  /** For what a person wants: a failure to save is theirs to know, at once. */
  wish<Result>(work: (pen: Pen) => Promise<Result>): Promise<Result>
  /** For what has happened anyway: nothing is lost, so it is tried again until it is saved. */
  keep(tell: (state: SessionState) => readonly Event[]): Promise<readonly Entry[]>
}

/** How long to wait between tries, by which clock, and when to give up. */
export interface KeepOptions {
  readonly retryMs: number
  readonly maxRetryMs: number
  /** After how long `stuck` is told that nothing could be saved, and why; it is tried again all the same. */
  readonly saveMs: number
  readonly stuck: (error: DragomanError) => void
  readonly now: () => number
  readonly signal: AbortSignal
}

/** The two ways to write into one line. */
export function createKeeper(line: Line, options: KeepOptions): Keeper {
  const { retryMs, maxRetryMs, saveMs, stuck, now, signal } = options
  let failed: { readonly error: DragomanError; readonly since: number } | null = null

  const refuseInTrouble = () => {
    if (failed !== null) throw failed.error
  }
  const tryOnce = (tell: (state: SessionState) => readonly Event[]) =>
    line.write(async pen => {
      const events = [...tell(line.state), ...(failed === null ? [] : [delayed(failed, now())])]
      const entries = events.length === 0 ? [] : await pen.append(events)
      failed = null
      return entries
    })

  return {
    get trouble() {
      return failed && troubleOf(line.session, failed.error, failed.since)
    },
    async wish(work) {
      refuseInTrouble()
      return line.write(pen => {
        refuseInTrouble()
        return work(pen)
      })
    },
    async keep(tell) {
      for (let pause = retryMs; ; pause = Math.min(pause * 2, maxRetryMs)) {
        try {
          return await tryOnce(tell)
        } catch (error) {
          if (!isDragomanError(error, 'disk-full', 'save-failed') || signal.aborted) throw error
          failed = { error, since: failed?.since ?? now() }
          const left = failed.since + saveMs - now()
          if (left <= 0) stuck(error)
          await wait(left > 0 ? Math.min(pause, left) : pause, signal)
        }
      }
    },
  }
}

/** The trouble that an error is for a session. */
export function troubleOf(session: SessionId, error: unknown, since: number): Trouble {
  const code = isDragomanError(error) ? error.code : 'save-failed'
  return { session, code, message: sentence(error), since }
}

const delayed = (
  { error, since }: { readonly error: DragomanError; readonly since: number },
  at: number,
): Event => ({ type: 'saving-delayed', code: error.code, milliseconds: at - since })
