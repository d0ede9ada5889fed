import { DurableStream } from '@durable-streams/client'
import { DurableStreamTestServer } from '@durable-streams/server'
import { answerBench } from './part.ts'
import type { DurableAsked, DurableTold } from './durable-asked.ts'

// The peer's server, which keeps streams in files.
answerBench(async ({ folder }: DurableAsked): Promise<DurableTold> => {
  const server = new DurableStreamTestServer({
    port: 0,
    host: '127.0.0.1',
    dataDir: folder,
    compression: false,
  })
  const url = await server.start()
  await DurableStream.create({ url: `${url}/stamps`, contentType: 'application/json' })
  return { url: `${url}/stamps` }
})
