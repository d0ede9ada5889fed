import type { Connection, Exit } from '../agents/agent.ts'
import type { Inbox } from './inbox.ts'
import type { Limits } from './limits.ts'
import { sentence } from './sentence.ts'
import { endsWithin } from './wait.ts'

/** Puts all that a connection says into the inbox, in order, as fast as it is saved; its exit comes last. */
export async function listen(
  connection: Connection,
  inbox: Inbox<unknown>,
  { endMs, logBytes }: Pick<Limits, 'endMs' | 'logBytes'>,
): Promise<void> {
  const logs = pour(connection.logs, async text => {
    for (let at = 0; at < text.length; at += logBytes)
      await inbox.put({ type: 'logged', text: text.slice(at, at + logBytes) })
  })
  const failure = await pour(connection.messages, raw => inbox.put({ type: 'said', from: 'agent', raw }))
  // Its words are over: a process that lives on would be one that nobody hears.
  await endsWithin(endMs, connection[Symbol.asyncDispose]())
  const exit = await exitOf(connection, endMs)
  await endsWithin(endMs, logs)
  inbox.close({ type: 'exited', exit: { ...exit, reason: exit.reason ?? failure } })
}

/** Empties an iterable; gives the sentence of what broke it off, or null. */
async function pour<Item>(items: AsyncIterable<Item>, put: (item: Item) => Promise<void> | undefined) {
  try {
    for await (const item of items) {
      const room = put(item)
      if (room !== undefined) await room
    }
    return null
  } catch (error) {
    return sentence(error)
  }
}

async function exitOf({ exit }: Connection, endMs: number): Promise<Exit> {
  if (await endsWithin(endMs, exit)) return exit
  return { code: null, signal: null, reason: 'It did not say how it ended.' }
}
