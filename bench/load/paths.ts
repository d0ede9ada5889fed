import { followTexts } from '../../src/journal/follow.ts'
import type { Bell, Journal } from '../../src/journal/journal.ts'
import { createReadyLines } from './ready-lines.ts'
import { createSpeech } from './spoken.ts'

/** Where entries go and who is woken. */
export interface Store {
  readonly journal: Journal
  readonly bell: Bell
}

/** One session from the agent's line to the follower's text. */
export interface Path extends AsyncDisposable {
  /** Lines of the agent. */
  say(lines: readonly string[]): void
}

/** Opens a path: translate, append what is ready, follow, make the wire's text; `delivered` is called with how many. */
export async function openPath(
  store: Store,
  no: number,
  delivered: (entries: number) => void,
): Promise<Path> {
  const { session, hear } = createSpeech(no)
  const lines = createReadyLines()
  const stop = new AbortController()
  await store.journal.create(session, [
    { type: 'session-created', agent: 'scripted', cwd: '/workspace', title: null, options: null },
  ])

  const speak = async () => {
    for await (const ready of lines) await store.journal.append(session, ready.map(hear))
  }
  const listen = async () => {
    for await (const texts of followTexts(store, session, 1, { signal: stop.signal })) {
      for (const text of texts) written += text.length
      delivered(texts.length)
    }
  }
  const running = Promise.all([speak(), listen()])
  return {
    say: said => lines.put(said),
    async [Symbol.asyncDispose]() {
      lines.close()
      stop.abort()
      await running
    },
  }
}

// Kept, so that no compiler may find that the text is never used.
let written = 0
