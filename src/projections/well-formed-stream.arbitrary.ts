import * as fc from 'fast-check'
import type { Chunk, MessageMetadata } from '../protocol/chunk.ts'
import { dataPart, metadata, reasoning, single, text, tool, type Script } from './part-script.arbitrary.ts'

/** What a stream is made of; `weave` puts it in order. */
interface Plan {
  /** Each segment lies between a `start` and a `finish` of the same message. */
  readonly segments: readonly Segment[]
  /** Which of the parts that could go on does so next, over and over. */
  readonly picks: readonly number[]
  readonly marked: boolean
}

interface Segment {
  readonly steps: readonly (readonly Script[])[]
  readonly about: readonly MessageMetadata[]
  readonly ending: readonly Chunk[]
}

/** What a generated stream says when it ends with an error. */
export const generatedError = 'generated error'

const segment: fc.Arbitrary<Segment> = fc.record({
  steps: fc.array(fc.array(fc.oneof(text, reasoning, tool, tool, dataPart, single), { maxLength: 5 }), {
    minLength: 1,
    maxLength: 4,
  }),
  about: fc.array(metadata, { maxLength: 3 }),
  ending: fc.constantFrom<readonly Chunk[]>(
    [{ type: 'finish', finishReason: 'stop' }],
    [{ type: 'abort' }, { type: 'finish' }],
    [
      { type: 'error', errorText: generatedError },
      { type: 'finish', finishReason: 'error' },
    ],
  ),
})

/** Any well-formed stream of one message: parallel parts, steps, every ending of a tool, late results, re-opening. */
export const wellFormedStream = (messageId = 'm'): fc.Arbitrary<readonly Chunk[]> =>
  fc
    .record({
      segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
      marked: fc.boolean(),
      picks: fc.array(fc.nat(99), { minLength: 1, maxLength: 30 }),
    })
    .map(plan => weave(plan, messageId))

function weave({ segments, picks, marked }: Plan, messageId: string): Chunk[] {
  const chunks: Chunk[] = []
  const later: Chunk[][] = []
  let turn = 0
  let ids = 0
  const runStep = (parts: readonly Script[]) => {
    const named = parts.map(part => part(`${messageId}-${ids++}`))
    const opening = named.map(part => [...part.opening])
    while (opening.some(queue => queue.length > 0)) {
      const ready = [...opening, ...later].filter(queue => queue.length > 0)
      const queue = ready[(picks[turn++ % picks.length] ?? 0) % ready.length] ?? []
      const chunk = queue.shift()
      if (chunk !== undefined) chunks.push(chunk)
      const done = opening.indexOf(queue)
      if (done >= 0 && queue.length === 0) later.push([...(named[done]?.later ?? [])])
    }
  }
  for (const { steps, about, ending } of segments) {
    const [first, second, third] = about
    chunks.push({ type: 'start', messageId, ...(first !== undefined && { messageMetadata: first }) })
    for (const parts of steps) {
      if (marked) chunks.push({ type: 'start-step' })
      runStep(parts)
      if (marked) chunks.push({ type: 'finish-step' })
    }
    if (second !== undefined) chunks.push({ type: 'message-metadata', messageMetadata: second })
    chunks.push(...ending.slice(0, -1))
    const finish = ending.at(-1)
    if (finish?.type === 'finish')
      chunks.push(third === undefined ? finish : { ...finish, messageMetadata: third })
  }
  return chunks
}
