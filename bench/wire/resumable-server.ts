import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { createResumableStreamContext } from 'resumable-stream'
import { scripted } from '../../src/agents/scripted/index.ts'
import type { ConnectionId } from '../../src/protocol/ids.ts'
import { answerLines } from './firehose.ts'
import { answerBench } from './part.ts'
import type { Served, ServerAsked } from './server-asked.ts'

// The AI SDK's recipe for resumable streams: the same text, through resumable-stream and Redis.
answerBench(async ({ redis = '' }: ServerAsked): Promise<Served> => {
  const clients = [createClient({ url: redis }), createClient({ url: redis })] as const
  for (const client of clients) await client.connect()
  const [publisher, subscriber] = clients
  const context = createResumableStreamContext({ waitUntil: null, publisher, subscriber })
  const begin = async (id: string, words: number, afterMs: number) => {
    const stream = await context.createNewResumableStream(id, () => streamOf(speak(words, afterMs)))
    // The first copy must be read, as the tab that asked would.
    void stream?.pipeTo(new WritableStream())
  }
  const server = createServer((incoming, outgoing) => {
    const { searchParams, pathname } = new URL(incoming.url ?? '/', 'http://local')
    const id = searchParams.get('id') ?? ''
    if (pathname === '/begin')
      void begin(id, Number(searchParams.get('words')), Number(searchParams.get('after'))).then(() =>
        outgoing.end(),
      )
    else void context.resumeExistingStream(id).then(stream => pass(stream ?? null, outgoing))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: '' }
})

async function* speak(words: number, afterMs: number): AsyncGenerator<string, void, undefined> {
  let state = scripted.initial('connection' as ConnectionId)
  await sleep(afterMs)
  for (const text of answerLines('prompt', words)) {
    const [next, chunks] = scripted.translate(state, { from: 'agent', text })
    state = next
    for (const { chunk } of chunks) yield `data: ${JSON.stringify(chunk)}\n\n`
  }
}

const streamOf = (texts: AsyncGenerator<string, void, undefined>) =>
  new ReadableStream<string>({
    async pull(controller) {
      const { value, done } = await texts.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })

async function pass(stream: ReadableStream<string> | null, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  if (stream !== null)
    for await (const text of stream) if (!outgoing.write(text)) await once(outgoing, 'drain')
  outgoing.end()
}
