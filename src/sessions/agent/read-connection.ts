import type { Agent, Connection, Exit } from '../../agents/agent.ts'
import { isDragomanError } from '../../protocol/error.ts'
import type { Raw } from '../../protocol/event.ts'
import type { InteractionId } from '../../protocol/ids.ts'
import type { BatchLimits, Limits } from '../limits.ts'
import { sentence } from '../sentence.ts'
import { endsWithin } from '../wait.ts'
import { checkRaw } from '../translation/agent-contract.ts'
import type { Beginning, Handover } from './beginning.ts'

/** What comes from one connection, in the order in which it is saved. */
export type ConnectionItem =
  | { readonly type: 'connected'; readonly process: number | null; readonly beginning: Beginning }
  /** A line of either side. Our own waits until it is `saved` before it is sent. */
  | {
      readonly type: 'line'
      readonly from: 'agent' | 'host'
      readonly raw: Raw
      readonly saved?: () => void
    }
  | { readonly type: 'handed-over'; readonly interaction: InteractionId; readonly handover: Handover }
  | { readonly type: 'logged'; readonly text: string }
  /** Nothing but a request to know when everything before it is saved. */
  | { readonly type: 'flush'; readonly saved: () => void }
  | { readonly type: 'exited'; readonly exit: Exit }

/** Gathers what comes from a connection while the last batch is being saved. Each item is kept as what it was made into. */
export interface AgentOutput<Kept> extends AsyncIterable<readonly Kept[]> {
  /** Takes one item in. A full output slows the agent down: it gives a promise that resolves when there is room for the next. */
  put(item: ConnectionItem): Promise<void> | undefined
  /** Takes the last item in; it comes in a batch of its own, and what is put later is dropped. */
  close(last: ConnectionItem): void
  readonly closed: boolean
}

/** Holds a bounded amount. Items are made into something (translated) when they come in, while the last batch is being saved. */
export function createAgentOutput<Kept>(
  { batchItems, batchBytes }: BatchLimits,
  make: (item: ConnectionItem) => Kept,
): AgentOutput<Kept> {
  const [news, room] = [createCall(), createCall()]
  let items: Kept[] = []
  let bytes = 0
  let last: ConnectionItem | undefined

  const take = (): readonly Kept[] => {
    const batch = items
    items = []
    bytes = 0
    room.call()
    return batch
  }

  return {
    get closed() {
      return last !== undefined
    },
    put(item) {
      if (last !== undefined) return undefined
      items.push(make(item))
      bytes += sizeOf(item)
      news.call()
      return items.length >= batchItems || bytes >= batchBytes ? room.next() : undefined
    },
    close(item) {
      last ??= item
      news.call()
      // What is put from now on needs no room.
      room.call()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (items.length > 0) yield take()
        else if (last !== undefined) return yield [make(last)]
        else await news.next()
      }
    },
  }
}

/** Wakes all who wait at the moment. */
function createCall() {
  let pending = Promise.withResolvers<void>()
  return {
    next: () => pending.promise,
    call() {
      pending.resolve()
      pending = Promise.withResolvers()
    },
  }
}

function sizeOf(item: ConnectionItem): number {
  if (item.type === 'line') return item.raw.raw.length + (item.raw.rawBytes?.length ?? 0)
  return item.type === 'logged' ? item.text.length : 0
}

/** Reads all that a connection gives into the output, in order, as fast as it is saved; its exit comes last. */
export async function readConnection(
  agent: Pick<Agent, 'name'>,
  connection: Connection,
  output: AgentOutput<unknown>,
  { endMs, logBytes }: Pick<Limits, 'endMs' | 'logBytes'>,
  report: (error: unknown) => void,
): Promise<void> {
  const logs = pour(connection.logs, async text => {
    for (let at = 0; at < text.length; at += logBytes)
      await output.put({ type: 'logged', text: text.slice(at, at + logBytes) })
  })
  const failure = await pour(connection.messages, message =>
    output.put({ type: 'line', from: 'agent', raw: checkRaw(agent, message) }),
  )
  // Its output has ended: if its process lived on, nothing would read from it.
  await endsWithin(endMs, disposed(connection))
  const exit = await exitOf(connection, endMs)
  await endsWithin(endMs, logs)
  const reason = exit.reason ?? (failure === null ? null : sentence(failure))
  const known = failure === null ? {} : { sentence: failureOf(agent, failure) }
  if (failure !== null) report(failure)
  output.close({ type: 'exited', exit: { ...exit, reason, ...known } })
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
  const ended = exit.catch((error: unknown) => ({ ...unknown, reason: sentence(error) }))
  return (await endsWithin(endMs, ended)) ? ended : unknown
}
