import type { Raw } from '../../protocol/event.ts'
import type { Connection, ConnectOptions } from '../agent.ts'
import type { ChildOptions } from '../program.ts'
import { startChild } from './child-process.ts'
import { readLines } from './line-reader.ts'

/** An agent process that reads and writes lines: all that a connection needs except the meaning of the lines. */
export interface LineChannel
  extends Pick<Connection, 'process' | 'messages' | 'logs' | 'exit'>, AsyncDisposable {
  /** The end of its log so far. */
  readonly lastWords: () => string
  /** Whether a line of ours was not sent yet, so that the agent cannot answer. */
  readonly isHeld: () => boolean
  /** Sends a line once it is recorded. Lines are sent in order. */
  send(line: string): Promise<void>
}

/** The options of a channel. */
export type LineChannelOptions = ChildOptions &
  Pick<ConnectOptions, 'record' | 'started' | 'start'> & { readonly limit?: number }

/** Starts an agent process that reads and writes lines. */
export function openLineChannel(options: LineChannelOptions): LineChannel {
  const { record, started, dataFolder, limit, start = startChild } = options
  const child = start(options)
  if (child.pid !== null) started?.(child.pid)
  const report = (trouble: string) => child.logs.add(`${trouble}\n`)
  let sent: Promise<unknown> = Promise.resolve()
  let held = 0
  const sendNow = async (raw: Raw) => {
    held += 1
    await record(raw).finally(() => (held -= 1))
    await child.write(`${raw.raw}\n`)
  }
  return {
    process: child.pid,
    messages: readLines(child.output, { dataFolder, report, ...(limit === undefined ? {} : { limit }) }),
    logs: child.logs,
    exit: child.exit,
    lastWords: child.lastWords,
    isHeld: () => held > 0,
    send(line) {
      const sending = sent.then(() => sendNow({ raw: line }))
      // A line that could not be saved or sent does not block the next.
      sent = sending.catch(() => undefined)
      return sending
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
