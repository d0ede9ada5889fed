import type { Agent } from '../../agents/agent.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import { openParts } from '../../protocol/open-parts.ts'
import type { RecordedLine } from './read-recording.ts'

/** The chunks of one line. */
export interface TranslatedLine {
  readonly line: number
  readonly chunks: readonly ThreadChunk[]
}

/** All translations use this connection id, so that they give the same ids each time. */
const connection = 'recording' as ConnectionId
const closing = { errorText: 'The recording ends here.', reason: 'interrupted' } as const

/** Translates a recording line by line, and closes open parts at its end. */
export async function* translateRecording(
  agent: Agent,
  lines: AsyncIterable<RecordedLine>,
): AsyncGenerator<TranslatedLine> {
  let state = agent.initial(connection)
  let open = openParts.initial
  let last = 0
  for await (const { line, message: recorded } of lines) {
    last = line
    const message = agent.readRecorded ? agent.readRecorded(recorded.text) : recorded
    if (message === null) continue
    const [next, chunks] = agent.translate(state, message)
    state = next
    open = chunks.reduce(openParts.apply, open)
    if (chunks.length > 0) yield { line, chunks }
  }
  const rest = openParts.closeAll(open, closing)
  if (rest.length > 0) yield { line: last, chunks: rest }
}
