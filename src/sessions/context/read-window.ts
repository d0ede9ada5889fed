import { createHistoryFold, type History } from '../../context/index.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { SessionView } from '../view/session-view.ts'

/** How many of the newest messages are read, however long the session is. */
const mostMessages = 200
const mostEntries = 20_000
const page = 2000

/** The end of a conversation as the compiler sees it, and how many messages are before it. */
export interface Window {
  readonly history: History
  readonly messages: number
  readonly earlier: number
}

/** Reads the end of the main conversation. */
export async function readWindow({ host, record }: SessionView): Promise<Window> {
  const { session } = record
  const head = record.state.summary.seq
  await record.settled()
  const { messages } = await host.catalogue.messages(session, { thread: null, limit: mostMessages })
  const near = messages.filter(({ firstSeq }, index) => index === 0 || head - firstSeq < mostEntries)
  const first = near.at(-1)?.firstSeq ?? head + 1
  const fold = createHistoryFold()
  for (const entry of await host.journal.read(session, 0, 1)) fold.apply(entry)
  for (let seq = Math.max(1, first - 1); seq < head;) {
    // Native lines are not needed, and they are most of a session's size.
    const texts = await host.journal.readTexts(session, seq, Math.min(page, head - seq))
    if (texts.length === 0) break
    for (const text of texts) fold.apply(JSON.parse(text) as Entry)
    seq += texts.length
  }
  const earlier = near.length < messages.length || messages.length === mostMessages
  return {
    history: fold.view(),
    messages: near.length,
    earlier: earlier ? await host.catalogue.countMessages(session, first, head) : 0,
  }
}
