import type { Message } from 'dragoman'
import type { Client, Readable } from 'dragoman/client'
import { createWritable } from 'dragoman/client/readable'
import { noChoices, type FetchedThread, type ThreadChoices } from './thread-rows.ts'

/** Which subagents the user opened, and their messages, loaded on demand. */
export interface ThreadShelf {
  readonly choices: Readable<ThreadChoices>
  /** Opens or closes a subagent; `isThere`: its messages need not be loaded. */
  readonly choose: (thread: string, open: boolean, isThere: boolean) => void
}

const page = 1000

/** Starts with the defaults. */
export function createThreadShelf(client: Client, session: string): ThreadShelf {
  const choices = createWritable(noChoices)
  const put = (thread: string, fetched: FetchedThread) => {
    const now = choices.get()
    choices.set({ ...now, fetched: new Map(now.fetched).set(thread, fetched) })
  }
  const fetchThread = async (thread: string) => {
    put(thread, 'loading')
    try {
      put(thread, { messages: await readThread(client, session, thread) })
    } catch (error) {
      put(thread, { problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return {
    choices,
    choose(thread, open, isThere) {
      const now = choices.get()
      const before = now.fetched.get(thread)
      choices.set({ ...now, chosen: new Map(now.chosen).set(thread, open) })
      const isMissing = before === undefined || (typeof before === 'object' && 'problem' in before)
      if (open && !isThere && isMissing) void fetchThread(thread)
    },
  }
}

async function readThread(client: Client, session: string, thread: string): Promise<readonly Message[]> {
  let messages: readonly Message[] = []
  for (let before: number | null | undefined; before !== null;) {
    const query = { thread, limit: String(page), ...(before !== undefined && { before: String(before) }) }
    const found = await client.call('listMessages', { params: { session }, query })
    messages = [...(found.messages as unknown as readonly Message[]), ...messages]
    before = found.next
  }
  return messages
}
