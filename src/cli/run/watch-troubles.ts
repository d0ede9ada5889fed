import type { SessionId } from '../../protocol/ids.ts'
import type { Desk } from '../desk/desk.ts'

const everyMs = 500

/** Tells when the words of a session cannot be saved, once for each trouble: nothing would be shown, and nobody know why. */
export function watchTroubles(
  desk: Pick<Desk, 'trouble'>,
  session: SessionId,
  tell: (sentence: string) => void,
): Disposable {
  let since: number | null = null
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    try {
      const trouble = await desk.trouble(session)
      if (trouble !== null && trouble.since !== since)
        tell(`${trouble.message} Trying again until it works; Ctrl-C twice gives up.`)
      since = trouble?.since ?? null
    } catch {
      // Whoever follows the session hears of it, too.
    }
    looking = false
  }
  const timer = setInterval(() => void look(), everyMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
