import { tmpdir } from 'node:os'
import { createDragoman, serve } from '../../src/server/index.ts'
import { openStore } from '../../src/store/open-store.ts'
import { answerBench } from './part.ts'
import { firehose } from './firehose.ts'
import type { Served, ServerAsked } from './server-asked.ts'

// Our server as people run it, fully durable, with an agent that never has to wait for a model.
answerBench(async ({ folder }: ServerAsked): Promise<Served> => {
  const store = await openStore({ folder })
  const dragoman = await createDragoman({
    store,
    agents: [firehose],
    roots: [tmpdir()],
    defaultFolder: tmpdir(),
    sessionLimits: { places: 200 },
    log: () => {},
  })
  const { url } = await serve({ dragoman, port: 0 })
  return { url, token: dragoman.token }
})
