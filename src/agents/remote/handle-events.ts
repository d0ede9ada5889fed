import { asObject } from '../../protocol/json.ts'
import type { Exit } from '../agent.ts'
import type { BoundedQueue } from '../kit/bounded-queue.ts'
import { textOrNull } from '../kit/fields.ts'
import type { LogPieces } from '../program.ts'
import { parseJson } from '../kit/parse-json.ts'
import type { ServiceEvent } from './read-events.ts'

/** The results of a program's events: its output, its log, its exit. */
export interface EventHandler {
  take(event: ServiceEvent): Promise<void>
  /** How it ended, once it has. */
  readonly exit: Exit | null
}

const tailLength = 1_000
const lineEnd = Buffer.from('\n')

/** Handles the events of one program. */
export function createEventHandler(output: BoundedQueue<Uint8Array>, logs: LogPieces): EventHandler {
  const decoder = new TextDecoder()
  let tail = ''
  let exit: Exit | null = null
  const log = (bytes: Buffer) => {
    const text = decoder.decode(bytes, { stream: true })
    tail = (tail + text).slice(-tailLength)
    logs.add(text)
  }
  return {
    get exit() {
      return exit
    },
    async take({ kind, data }) {
      const isBase64 = kind.endsWith('-base64')
      const bytes = isBase64 ? Buffer.from(data.toString('latin1'), 'base64') : data
      switch (isBase64 ? kind.slice(0, -'-base64'.length) : kind) {
        // A service may leave out the name of the most frequent kind.
        case '':
        case 'stdout':
          return output.push(Buffer.concat([bytes, lineEnd]))
        case 'stdout-part':
          return output.push(bytes)
        case 'stderr':
          return log(Buffer.concat([bytes, lineEnd]))
        case 'stderr-part':
          return log(bytes)
        case 'exit':
          exit = exitOf(bytes, tail)
      }
    },
  }
}

/** The exit as the service reports it; without a reason, the last log text is one, as on this machine. */
function exitOf(bytes: Buffer, tail: string): Exit {
  const exit = asObject(parseJson(bytes.toString()))
  const { code } = exit
  const last = code === 0 || tail.trim() === '' ? null : tail.trim()
  return {
    code: typeof code === 'number' ? code : null,
    signal: textOrNull(exit, 'signal'),
    reason: textOrNull(exit, 'reason') ?? last,
  }
}
