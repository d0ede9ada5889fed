import { scripted } from '../../src/agents/scripted/index.ts'
import type { Chunk } from '../../src/protocol/chunk.ts'
import type { ConnectionId } from '../../src/protocol/ids.ts'
import { answerLines, turn } from './firehose.ts'

/** How many words are written in one turn of the event loop, unless each has its own turn. */
const burst = 256

/** Says an answer by the translator that our server uses; others get their turn in between, as they do with us. */
export async function sayAnswer(asked: URLSearchParams, hear: (chunk: Chunk) => void): Promise<void> {
  const atOnce = asked.has('apart') ? 1 : burst
  let state = scripted.initial('connection' as ConnectionId)
  let said = 0
  for (const text of answerLines('prompt', Number(asked.get('words')))) {
    const [next, chunks] = scripted.translate(state, { from: 'agent', text })
    state = next
    for (const { chunk } of chunks) hear(chunk)
    if (++said % atOnce === 0) await turn()
  }
}
