import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../protocol/chunk.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { assertWellFormed } from '../protocol/well-formed.ts'
import { createMessageFold, foldMessage } from './fold-message.ts'
import { call, output, start, text } from './journal.fixture.ts'
import { asJson, sdkReaders } from './read-with-sdk.fixture.ts'
import { wellFormedStream } from './well-formed-stream.arbitrary.ts'
import { cpuTime } from './cpu-time.fixture.ts'

/** Makes the SDK's reader show its state: some chunks change the message without telling. */
const show: Chunk = { type: 'message-metadata', messageMetadata: {} }

/** Between the minus sign of an array's first number and its first digit, v6 shows nothing of the whole input. */
function endsInMinus(chunks: readonly Chunk[]): boolean {
  const { parts } = foldMessage(chunks)
  return parts.some(
    part =>
      'rawInput' in part && /\[\s*-"$/.test(JSON.stringify(part.rawInput).replaceAll(String.raw`\n`, '')),
  )
}

describe('foldMessage', () => {
  it('[P6] is tested on well-formed streams', () => {
    fc.assert(
      fc.property(wellFormedStream(), chunks => {
        assertWellFormed(chunks.map(chunk => ({ thread: null, chunk })))
      }),
    )
  })

  it.each(['v7', 'v6'] as const)('[P6] equals the AI SDK %s on every well-formed stream', async version => {
    await fc.assert(
      fc.asyncProperty(wellFormedStream(), async chunks => {
        const whole = [...chunks, show]
        expect(asJson(foldMessage(whole))).toEqual(asJson(await sdkReaders[version](whole)))
      }),
      { numRuns: propertyRuns(150) },
    )
  })

  it.each(['v7', 'v6'] as const)('[P6] equals the AI SDK %s at any moment of a stream', async version => {
    await fc.assert(
      fc.asyncProperty(wellFormedStream(), fc.nat(), async (chunks, at) => {
        const beginning = [...chunks.slice(0, 1 + (at % chunks.length)), show]
        fc.pre(version === 'v7' || !endsInMinus(beginning))
        expect(asJson(foldMessage(beginning))).toEqual(asJson(await sdkReaders[version](beginning)))
      }),
      { numRuns: propertyRuns(200) },
    )
  })

  it('[P6] gives the same message however often it is read', () => {
    fc.assert(
      fc.property(wellFormedStream(), fc.array(fc.boolean(), { minLength: 1 }), (chunks, looks) => {
        const fold = createMessageFold()
        for (const [index, chunk] of chunks.entries()) {
          fold.push(chunk)
          if (looks[index % looks.length]) fold.snapshot()
        }
        expect(fold.snapshot()).toEqual(foldMessage(chunks))
      }),
    )
  })

  it('[P6] follows a call across steps, and begins another one for the same id in a later step', () => {
    const step: Chunk = { type: 'start-step' }
    const states = (...chunks: readonly Chunk[]) =>
      foldMessage([start('m'), ...chunks]).parts.map(part => ('state' in part ? part.state : part.type))
    expect(states(step, call('c'), step, output('c'))).toEqual([
      'step-start',
      'output-available',
      'step-start',
    ])
    expect(states(step, call('c'), step, call('c'))).toEqual([
      'step-start',
      'input-available',
      'step-start',
      'input-available',
    ])
  })

  it('[R2] ignores chunks without meaning, and never throws', () => {
    const odd = [
      { type: 'text-delta', id: 'x', delta: 'lost' },
      { type: 'tool-output-available', toolCallId: '__proto__', output: 1 },
      { type: 'constructor' },
      { type: 'reset-step' },
    ] as unknown as readonly Chunk[]
    expect(foldMessage([start('m'), ...odd]).parts).toEqual([])
  })

  it('[P6] begins another message at a start with another id', () => {
    const message = foldMessage([start('a'), ...text('t', 'One'), start('b'), ...text('t', 'Two')])
    expect(message).toMatchObject({ id: 'b', parts: [{ text: 'Two' }] })
  })

  it('[X10] is linear in the number of steps', () => {
    const stepsOf = (count: number) => [
      start('m'),
      ...Array.from({ length: count }, (_, index) => [
        { type: 'start-step' } as const,
        ...text(`t${index}`, 'Look'),
        call(`c${index}`),
        output(`c${index}`),
      ]).flat(),
    ]
    const [short, long] = [timeOf(stepsOf(1_000)), timeOf(stepsOf(8_000))]
    // Linear is 8 times; quadratic would be 64.
    expect(long / short).toBeLessThan(24)
  })

  it('[X10] reads each character of a streamed input once', () => {
    const fold = createMessageFold()
    fold.push({ type: 'tool-input-start', toolCallId: 'c', toolName: 'Write', dynamic: true })
    const deltas = Array.from({ length: 20_000 }, (): Chunk => ({
      type: 'tool-input-delta',
      toolCallId: 'c',
      inputTextDelta: 'a line of code',
    }))
    fold.push({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"content":"' })
    for (const delta of deltas) fold.push(delta)
    // Parsing all of it at each delta would be 2.8 GB; the AI SDK's client takes minutes.
    expect(fold.snapshot().parts[0]).toMatchObject({ input: { content: 'a line of code'.repeat(20_000) } })
  })
})

const timeOf = (chunks: readonly Chunk[]) => cpuTime(() => void foldMessage(chunks))
