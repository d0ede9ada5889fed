import type { SessionId } from '../../protocol/ids.ts'
import type { SessionsApi } from '../sessions-api/sessions-api.ts'

const everyMs = 500

/** After this time the agent was stopped, because its output could not be saved. */
const patienceMs = 10_000

/** What to do while saving fails. */
export interface TroubleTeller {
  /** Reports each problem with saving once: otherwise nothing would be shown, without a reason. */
  readonly report: (sentence: string) => void
  /** Called when saving fails for too long. */
  readonly giveUp: () => void
}

/** Reports when a session cannot be saved. */
export function watchTroubles(
  api: Pick<SessionsApi, 'trouble'>,
  session: SessionId,
  { report, giveUp }: TroubleTeller,
): Disposable {
  let since: number | null = null
  let looks = 0
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    try {
      const trouble = await api.trouble(session)
      looks = trouble === null || trouble.since !== since ? 0 : looks + 1
      if (trouble !== null && trouble.since !== since) report(`${trouble.message} Retrying.`)
      since = trouble?.since ?? null
      if (looks * everyMs === patienceMs) {
        report(
          'Saving failed, so the agent was stopped. You can continue the session once there is space again.',
        )
        giveUp()
      }
    } catch {
      // Followers of the session get it, too.
    }
    looking = false
  }
  const timer = setInterval(() => void look(), everyMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
