import type { Agent, Connection, Exit } from '../agents/agent.ts'
import { isDragomanError } from '../protocol/error.ts'
import { checkRaw } from './agent-contract.ts'
import type { Inbox } from './inbox.ts'
import type { Limits } from './limits.ts'
import { sentence } from './sentence.ts'
import { endsWithin } from './wait.ts'

/** Puts all that a connection says into the inbox, in order, as fast as it is saved; its exit comes last. */
export async function listen(
  agent: Pick<Agent, 'name'>,
  connection: Connection,
  inbox: Inbox<unknown>,
  { endMs, logBytes }: Pick<Limits, 'endMs' | 'logBytes'>,
  report: (error: unknown) => void,
): Promise<void> {
  const logs = pour(connection.logs, async text => {
    for (let at = 0; at < text.length; at += logBytes)
      await inbox.put({ type: 'logged', text: text.slice(at, at + logBytes) })
  })
  const failure = await pour(connection.messages, message =>
    inbox.put({ type: 'said', from: 'agent', raw: checkRaw(agent, message) }),
  )
  // Its words are over: a process that lives on would be one that nobody hears.
  await endsWithin(endMs, disposed(connection))
  const exit = await exitOf(connection, endMs)
  await endsWithin(endMs, logs)
  const reason = exit.reason ?? (failure === null ? null : sentence(failure))
  const told = failure === null ? {} : { sentence: failureOf(agent, failure) }
  if (failure !== null) report(failure)
  inbox.close({ type: 'exited', exit: { ...exit, reason, ...told } })
}

const failureOf = ({ name }: Pick<Agent, 'name'>, error: unknown) =>
  isDragomanError(error) ? error.message : `The agent "${name}" failed: ${sentence(error)}`

/** Disposes of a connection; one that fails to go is waited for no longer. */
async function disposed(connection: Connection): Promise<void> {
  await connection[Symbol.asyncDispose]()
}

/** Empties an iterable; gives what broke it off, or null. */
async function pour<Item>(items: AsyncIterable<Item>, put: (item: Item) => Promise<void> | undefined) {
  try {
    for await (const item of items) {
      const room = put(item)
      if (room !== undefined) await room
    }
    return null
  } catch (error) {
    return error
  }
}

async function exitOf({ exit }: Connection, endMs: number): Promise<Exit> {
  const unknown: Exit = { code: null, signal: null, reason: 'It did not report how it ended.' }
  const known = exit.catch((error: unknown) => ({ ...unknown, reason: sentence(error) }))
  return (await endsWithin(endMs, known)) ? known : unknown
}
