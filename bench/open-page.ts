import { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema, type UIMessageChunk } from 'ai'
import { join } from 'node:path'
import { createClient } from '../src/client/index.ts'
import type { Bench } from './harness/bench.ts'
import { interleave, ratioOf } from './harness/interleave.ts'
import { milliseconds } from './harness/numbers.ts'
import { createScratchFolder } from './harness/scratch-folder.ts'
import { median } from './harness/statistics.ts'
import type { PageAsked, PageTold } from './wire/page-asked.ts'
import { startPart } from './wire/part.ts'

const rounds = 5
const answers = 5000
const shown = 50

/** How long a page takes to show a long conversation and be live. */
export const openPage: Bench = {
  name: 'open-page',
  what: `a conversation of ${answers * 2} messages is opened and followed`,
  beside: 'the AI SDK’s replay of its chunks',
  how: `Ours: dragoman/client opens the session (the last ${shown} messages, then live). Theirs: the same answers as a stream, checked with its schema and folded by readUIMessageStream, one message after the other. Both use HTTP, and the page runs in the process of the bench.`,
  seconds: 0,
  async run() {
    using folder = createScratchFolder()
    await using server = await startPart<PageAsked, PageTold>('page-server')
    const told = await server.ask({ folder: join(folder.path, 'data'), answers })
    let bytes = 0
    let replayed = 0
    const [own = [], others = []] = await interleave(rounds, [
      async () => {
        const opened = await openOurs(told)
        bytes = opened.bytes
        return opened.milliseconds
      },
      async () => {
        const opened = await replayTheirs(told)
        replayed = opened.bytes
        return opened.milliseconds
      },
    ])
    const size = (value: number) => `${(value / 1000).toFixed(0)} kB`
    return [
      {
        ours: `${milliseconds(median(own))}, ${size(bytes)}`,
        peer: `${milliseconds(median(others))}, ${size(replayed)}`,
        ...ratioOf(others, own),
        goal: { kind: 'at-least', ratio: 20 },
      },
    ]
  },
}

interface Opened {
  readonly milliseconds: number
  readonly bytes: number
}

async function openOurs({ url, token, session }: PageTold): Promise<Opened> {
  let bytes = 0
  const counting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const text = await response.text()
    bytes += text.length
    return new Response(text, response)
  }
  using client = createClient({ url, token, fetch: counting, pageSize: shown })
  const begin = performance.now()
  const { promise, resolve } = Promise.withResolvers<void>()
  const { state, messages } = client.session(session)
  const stop = state.subscribe(({ phase }) => {
    if (phase === 'live') resolve()
  })
  await promise
  const elapsed = performance.now() - begin
  if (messages.get().length !== shown) throw new Error(`Our page shows ${messages.get().length} messages.`)
  stop()
  return { milliseconds: elapsed, bytes }
}

async function replayTheirs({ replay }: PageTold): Promise<Opened> {
  const begin = performance.now()
  const response = await fetch(replay)
  if (response.body === null) throw new Error('There is nothing to replay.')
  let bytes = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.length
        controller.enqueue(piece)
      },
    }),
  )
  const parsed = parseJsonEventStream({ stream: counted, schema: uiMessageChunkSchema })
  let message: UIMessageChunk[] = []
  let messages = 0
  for await (const result of parsed) {
    if (!result.success) throw result.error
    message.push(result.value)
    if (result.value.type !== 'finish') continue
    await fold(message)
    messages += 1
    message = []
  }
  if (messages !== answers) throw new Error(`The AI SDK read ${messages} messages.`)
  return { milliseconds: performance.now() - begin, bytes }
}

async function fold(chunks: readonly UIMessageChunk[]): Promise<void> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  for await (const _state of readUIMessageStream({ stream })) continue
}
