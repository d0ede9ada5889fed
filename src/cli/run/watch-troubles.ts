import type { SessionId } from '../../protocol/ids.ts'
import type { Sessions } from '../../sessions/sessions.ts'

const everyMs = 500

/** Tells when the words of a session cannot be saved, once for each trouble: nothing would be shown, and nobody know why. */
export function watchTroubles(
  sessions: Pick<Sessions, 'troubles'>,
  session: SessionId,
  tell: (sentence: string) => void,
): Disposable {
  let since: number | null = null
  const look = () => {
    const trouble = sessions.troubles().find(each => each.session === session)
    if (trouble !== undefined && trouble.since !== since)
      tell(`${trouble.message} Trying again until it works; Ctrl-C twice gives up.`)
    since = trouble?.since ?? null
  }
  const timer = setInterval(look, everyMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
