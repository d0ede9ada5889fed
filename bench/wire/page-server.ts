import { tmpdir } from 'node:os'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chunk } from '../../src/protocol/chunk.ts'
import type { Event } from '../../src/protocol/event.ts'
import type { ConnectionId, InteractionId, PromptId, SessionId } from '../../src/protocol/ids.ts'
import { createDragoman, serve } from '../../src/server/index.ts'
import { openStore } from '../../src/store/open-store.ts'
import { createRandom } from '../load/random.ts'
import { createWords } from '../load/words.ts'
import { firehose } from './firehose.ts'
import type { PageAsked, PageTold } from './page-asked.ts'
import { answerBench } from './part.ts'

// A long conversation, in our server, and as the bare chunks of its answers for the AI SDK to replay.
const words = createWords(createRandom(1))

answerBench(async ({ folder, answers }: PageAsked): Promise<PageTold> => {
  const store = await openStore({ folder })
  const session = 'long' as SessionId
  const created = {
    type: 'session-created',
    agent: 'firehose',
    cwd: tmpdir(),
    title: 'Long',
    options: null,
  } as const
  await store.journal.create(session, [created])
  const texts: string[] = []
  for (let no = 0; no < answers; no++) {
    const chunks = answer(no)
    await store.journal.append(session, eventsOf(no, chunks))
    for (const chunk of chunks) texts.push(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  store.journal.mayPack(session)
  const dragoman = await createDragoman({ store, agents: [firehose], roots: [tmpdir()], log: () => {} })
  const { url } = await serve({ dragoman, port: 0 })
  await dragoman.sessions.get(session)
  return { url, token: dragoman.token, session, replay: await replayServer(texts.join('')) }
})

function answer(no: number): readonly Chunk[] {
  const tool = { toolCallId: `call-${no}`, dynamic: true, providerExecuted: true }
  const id = `text-${no}`
  return [
    { type: 'start', messageId: `answer-${no}` },
    { type: 'start-step' },
    { type: 'tool-input-available', toolName: 'Read', input: { path: words(2) }, ...tool },
    { type: 'tool-output-available', output: words(40), ...tool },
    { type: 'text-start', id },
    ...Array.from({ length: 20 }, (): Chunk => ({ type: 'text-delta', id, delta: `${words(5)} ` })),
    { type: 'text-end', id },
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'stop' },
  ]
}

function eventsOf(no: number, chunks: readonly Chunk[]): readonly Event[] {
  const interaction = `interaction-${no}` as InteractionId
  const spoken = { interaction, connection: 'connection' as ConnectionId, raw: '{}' }
  return [
    {
      type: 'interaction-started',
      interaction,
      trigger: 'user',
      agent: 'firehose',
      prompt: `prompt-${no}` as PromptId,
      parts: [{ type: 'text', text: words(10) }],
    },
    ...chunks.map((chunk): Event => ({ type: 'agent-spoke', ...spoken, chunks: [{ thread: null, chunk }] })),
    { type: 'interaction-ended', interaction, outcome: 'finished', reason: null, chunks: [] },
  ]
}

async function replayServer(text: string): Promise<string> {
  const server = createServer((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
