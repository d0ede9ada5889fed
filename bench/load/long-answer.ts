import type { Chunk } from '../../src/protocol/chunk.ts'
import { createRandom } from './random.ts'
import { createWords } from './words.ts'

const deltas = 3

/** The chunks of one answer of many steps: in each a short text, then a tool call and its result. */
export function createLongAnswer(steps: number): readonly Chunk[] {
  const random = createRandom(steps)
  const words = createWords(random)
  return [
    { type: 'start', messageId: 'answer' },
    ...Array.from({ length: steps }, (_, step) => chunksOfStep(step, words)).flat(),
    { type: 'finish', finishReason: 'stop' },
  ]
}

function chunksOfStep(step: number, words: (count: number) => string): readonly Chunk[] {
  const id = `text-${step}`
  const toolCallId = `call-${step}`
  const tool = { toolCallId, dynamic: true, providerExecuted: true }
  return [
    { type: 'start-step' },
    { type: 'text-start', id },
    ...Array.from({ length: deltas }, (): Chunk => ({ type: 'text-delta', id, delta: `${words(5)} ` })),
    { type: 'text-end', id },
    { type: 'tool-input-available', toolName: 'Bash', input: { command: words(6) }, ...tool },
    { type: 'tool-output-available', output: words(40), ...tool },
    { type: 'finish-step' },
  ]
}
