import { isDeepStrictEqual } from 'node:util'
import { createMessageFold, foldMessage } from '../src/projections/index.ts'
import type { Chunk } from '../src/protocol/chunk.ts'
import type { Bench } from './harness/bench.ts'
import { interleave, ratioOf } from './harness/interleave.ts'
import { milliseconds } from './harness/numbers.ts'
import { median, middleHalf } from './harness/statistics.ts'
import { createLongAnswer } from './load/long-answer.ts'
import { receiveWithSdk } from './stores/sdk-chat.ts'

const steps = 4000
const fewer = 1000
const rounds = 20

/** The cost of making a message of a very long answer. */
export const fold: Bench = {
  name: 'fold',
  what: 'a 4,000-step answer into a message',
  beside: "the AI SDK's client (AbstractChat)",
  how: `Ours: all chunks are folded, then the message is made; median of ${rounds}. The SDK: one run from memory, with a state that copies as @ai-sdk/react does. Both messages are compared. Linear: the time per step with ${steps} steps, divided by the time per step with ${fewer}.`,
  seconds: 0,
  async run() {
    const [long, short] = [createLongAnswer(steps), createLongAnswer(fewer)]
    const [own = [], small = []] = await interleave(rounds, [
      () => timed(() => foldMessage(long)),
      () => timed(() => foldMessage(short)),
    ])
    const shown = await timed(() => foldShowing(long))
    const sdk = await timed(() => receiveWithSdk(long))
    await refuseDifferent(short)
    const perStep = ratioOf(own, small)
    return [
      {
        ours: milliseconds(median(own)),
        peer: milliseconds(sdk),
        ratio: sdk / median(own),
        spread: middleHalf(own.map(time => sdk / time)),
        goal: { kind: 'at-least', ratio: 80 },
        note: `${long.length} chunks; making a message after every chunk, as the SDK does, takes us ${milliseconds(shown)}, a ratio of ${(sdk / shown).toFixed(0)}`,
      },
      {
        part: `time of a step, compared with ${fewer} steps`,
        ours: milliseconds(median(own) / steps),
        peer: milliseconds(median(small) / fewer),
        ratio: (perStep.ratio * fewer) / steps,
        spread: scaled(perStep.spread, fewer / steps),
        goal: { kind: 'at-most', ratio: 1.2 },
      },
    ]
  },
}

const scaled = ([low, high]: readonly [number, number], by: number) => [low * by, high * by] as const

async function timed(work: () => unknown): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

function foldShowing(chunks: readonly Chunk[]): void {
  const message = createMessageFold()
  for (const chunk of chunks) {
    message.push(chunk)
    message.snapshot()
  }
}

async function refuseDifferent(chunks: readonly Chunk[]): Promise<void> {
  const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  if (!isDeepStrictEqual(asJson(foldMessage(chunks)), asJson(await receiveWithSdk(chunks))))
    throw new Error("Our message is not the AI SDK's.")
}
