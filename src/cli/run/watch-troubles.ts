import type { SessionId } from '../../protocol/ids.ts'
import type { Desk } from '../desk/desk.ts'

const everyMs = 500

/** By then the agent was ended, because nothing of it could be saved. */
const patienceMs = 10_000

/** What is done about a trouble. */
export interface TroubleTeller {
  /** Reports each problem with saving once: otherwise nothing would be shown, without a reason. */
  readonly tell: (sentence: string) => void
  /** Called when it lasts too long to wait for its end. */
  readonly giveUp: () => void
}

/** Tells when the words of a session cannot be saved. */
export function watchTroubles(
  desk: Pick<Desk, 'trouble'>,
  session: SessionId,
  { tell, giveUp }: TroubleTeller,
): Disposable {
  let since: number | null = null
  let looks = 0
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    try {
      const trouble = await desk.trouble(session)
      looks = trouble === null || trouble.since !== since ? 0 : looks + 1
      if (trouble !== null && trouble.since !== since) tell(`${trouble.message} Retrying.`)
      since = trouble?.since ?? null
      if (looks * everyMs === patienceMs) {
        tell(
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
