import type { Json } from '../../protocol/json.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { ConnectOptions, RawMessage } from '../agent.ts'
import { withoutKey } from './keys.ts'
import type { AgentLine } from './lines.ts'
import { createLineQueue, type LineQueue } from './line-queue.ts'
import { initial, translate, type ModelState } from './translate.ts'

/** The lines of a connection, in both directions; none of them contains the key. */
export interface LineWriter {
  readonly queue: LineQueue
  /** Writes a line of the loop. */
  write(line: AgentLine): Promise<void>
  /** Writes an event of a model's stream, unchanged. */
  relay(request: string, block: string): Promise<void>
  /** Writes a line of ours; resolves when it is saved. */
  writeOurs(line: Readonly<Record<string, Json>>): Promise<void>
  /** The state after all lines so far: the same translation that every reader makes of them. */
  readonly known: ModelState
}

/** Makes the line writer of a connection. */
export function createLineWriter({ record }: Pick<ConnectOptions, 'record'>, key: string | null): LineWriter {
  const queue = createLineQueue()
  let known = initial('loop' as ConnectionId)
  const writeLine = (text: string) => {
    const raw: RawMessage = { from: 'agent', text }
    known = translate(known, raw)[0]
    return queue.push(text)
  }
  return {
    queue,
    get known() {
      return known
    },
    write: line => writeLine(withoutKey(JSON.stringify(line), key)),
    async relay(request, block) {
      if (known.current !== request) await writeLine(JSON.stringify({ dragoman: 'from', request }))
      await writeLine(withoutKey(block, key))
    },
    async writeOurs(line) {
      // Lines of both directions are in the journal in the order in which they were written.
      await queue.drained()
      await record({ raw: withoutKey(JSON.stringify(line), key) })
    },
  }
}
