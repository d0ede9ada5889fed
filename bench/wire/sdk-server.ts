import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createUIMessageStream, pipeUIMessageStreamToResponse } from 'ai'
import { scripted } from '../../src/agents/scripted/index.ts'
import type { ConnectionId } from '../../src/protocol/ids.ts'
import { answerLines, turn } from './firehose.ts'
import { answerBench } from './part.ts'
import type { Served } from './server-asked.ts'

// The same native lines, translated by the same translator, through the AI SDK's own stream and pipe: nothing is kept.
answerBench(async (): Promise<Served> => {
  const server = createServer((incoming, outgoing) => {
    const { searchParams } = new URL(incoming.url ?? '/', 'http://local')
    const words = Number(searchParams.get('words'))
    const atOnce = searchParams.has('apart') ? 1 : 256
    const stream = createUIMessageStream({
      execute: async ({ writer }) => {
        let state = scripted.initial('connection' as ConnectionId)
        let said = 0
        for (const text of answerLines('prompt', words)) {
          const [next, chunks] = scripted.translate(state, { from: 'agent', text })
          state = next
          for (const { chunk } of chunks) writer.write(chunk)
          // An agent's lines come in over time: others must get their turn, as they do with us.
          if (++said % atOnce === 0) await turn()
        }
      },
    })
    void pipeUIMessageStreamToResponse({ response: outgoing, stream })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: '' }
})
