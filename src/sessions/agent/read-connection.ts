import type { Agent, AgentLine, Connection, Exit } from '../../agents/agent.ts'
import { errorMessage, isDragomanError } from '../../protocol/error.ts'
import type { Raw } from '../../protocol/event.ts'
import type { InteractionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { BatchLimits, Limits } from '../limits.ts'
import { endsWithin } from '../wait.ts'
import { brokenMessage } from '../translation/agent-contract.ts'
import type { TranslatedLine } from './assign-interaction.ts'
import type { Beginning, Handover } from './beginning.ts'

/** Output of one connection, in the order in which it is saved. */
export type ConnectionItem =
  | { readonly type: 'connected'; readonly process: number | null; readonly beginning: Beginning }
  /** A line of either side. Our own waits until it is `saved` before it is sent. */
  | {
      readonly type: 'line'
      readonly from: 'agent' | 'host'
      readonly raw: Raw
      /** The value of the line, if the transport parsed it. It is for the translation only. */
      readonly parsed?: Json | undefined
      readonly saved?: () => void
    }
  | { readonly type: 'handed-over'; readonly interaction: InteractionId; readonly handover: Handover }
  | { readonly type: 'logged'; readonly text: string }
  /** Its `saved` is called when everything before it is saved. */
  | { readonly type: 'flush'; readonly saved: () => void }
  | { readonly type: 'exited'; readonly exit: Exit }

/** Output of one connection, with the chunks of each line. */
export type TranslatedItem =
  | Exclude<ConnectionItem, { readonly type: 'line' }>
  | ({ readonly type: 'line'; readonly saved?: () => void } & TranslatedLine)

/** Collects the output of a connection while the previous batch is being saved. Each item is kept as it was translated. */
export interface AgentOutput<Kept> extends AsyncIterable<readonly Kept[]> {
  /** Adds an item. When the output is full, it returns a promise that resolves when there is room, to slow the agent down. */
  put(item: ConnectionItem): Promise<void> | undefined
  /** Adds the last item, as a separate batch. Items that are put later are dropped. */
  close(last: ConnectionItem): void
  readonly closed: boolean
}

/** Holds a bounded amount. Items are translated as they come in, while the previous batch is being saved. */
export function createAgentOutput<Kept>(
  { batchItems, batchBytes }: BatchLimits,
  make: (item: ConnectionItem) => Kept,
): AgentOutput<Kept> {
  const [news, room] = [createSignal(), createSignal()]
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
      // Items that are put from now on are dropped, so they need no room.
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

/** Resolves the promises of all current waiters. Without one, as for most lines, it does nothing. */
function createSignal() {
  let pending: PromiseWithResolvers<void> | null = null
  return {
    next: () => (pending ??= Promise.withResolvers()).promise,
    call() {
      pending?.resolve()
      pending = null
    },
  }
}

function sizeOf(item: ConnectionItem): number {
  if (item.type === 'line') return item.raw.raw.length + (item.raw.rawBytes?.length ?? 0)
  return item.type === 'logged' ? item.text.length : 0
}

/** Reads a connection into the output, in order and no faster than it is saved. Its exit comes last. */
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
  const failure = await pour(connection.messages, message => {
    if (!isLine(message)) throw brokenMessage(agent, message)
    // A copy: an agent may use its object again for the next line. Nearly all lines have nothing but their text.
    const { parsed, raw: text, rawBytes, rawFile } = message
    const raw: Raw =
      rawBytes === undefined && rawFile === undefined
        ? { raw: text }
        : {
            raw: text,
            ...(rawBytes !== undefined && { rawBytes }),
            ...(rawFile !== undefined && { rawFile }),
          }
    return output.put({ type: 'line', from: 'agent', raw, ...(parsed !== undefined && { parsed }) })
  })
  // Its output has ended. Nothing would read from a process that is still running.
  await endsWithin(endMs, disposed(connection))
  const exit = await exitOf(connection, endMs)
  await endsWithin(endMs, logs)
  const reason = exit.reason ?? (failure === null ? null : errorMessage(failure))
  const known = failure === null ? {} : { sentence: failureOf(agent, failure) }
  if (failure !== null) report(failure)
  output.close({ type: 'exited', exit: { ...exit, reason, ...known } })
}

const isLine = (message: Partial<AgentLine> | null | undefined): message is AgentLine =>
  typeof message?.raw === 'string'

const failureOf = ({ name }: Pick<Agent, 'name'>, error: unknown) =>
  isDragomanError(error) ? error.message : `The agent "${name}" failed: ${errorMessage(error)}`

/** Disposes of a connection, also when that throws at once. */
async function disposed(connection: Connection): Promise<void> {
  await connection[Symbol.asyncDispose]()
}

/** Puts every item of an iterable; returns the error that ended it, or null. */
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
  const ended = exit.catch((error: unknown) => ({ ...unknown, reason: errorMessage(error) }))
  return (await endsWithin(endMs, ended)) ? ended : unknown
}
