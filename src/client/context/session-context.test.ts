import { build } from 'esbuild'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { host, openDragoman, type Opened } from '../../server/dragoman.fixture.ts'
import { createClient, type Client } from '../create-client.ts'
import type { Readable } from '../readable.ts'
import { createSessionContext, type Interactions, type LiveView, type Manipulations } from './index.ts'

let house: Opened
let client: Client
let calls: string[] = []
beforeAll(async () => {
  house = await openDragoman()
  client = createClient({
    url: `http://${host}`,
    token: house.dragoman.token,
    WebSocket: null,
    storage: new Map(),
    timing: { refreshMs: 20, throttleMs: 5, lingerMs: 10 },
    fetch: (input, init) => {
      const address = input instanceof Request ? input.url : String(input)
      calls.push(`${init?.method ?? 'GET'} ${new URL(address).pathname.split('/').at(-1)}`)
      const headers = new Headers(init?.headers)
      headers.set('host', host)
      return house.dragoman.handler(new Request(address, { ...init, headers }))
    },
  })
})
afterAll(async () => {
  client.close()
  await house[Symbol.asyncDispose]()
})

/** Resolves when a readable shows what is waited for. */
const when = <Value>(readable: Readable<Value>, isSo: (value: Value) => boolean) =>
  new Promise<Value>(resolve => {
    let stop = () => {}
    stop = readable.subscribe(value => {
      if (!isSo(value)) return
      resolve(value)
      queueMicrotask(() => stop())
    })
  })

describe('dragoman/client/context', () => {
  it('[X8] shows interactions, validity and the compiled context live, and changes them', async () => {
    const session = await house.session()
    await house.run(session, 'hello')
    const counts = createSessionContext(client, session)
    const interactions = counts.interactions()
    const audit = counts.manipulations({ kind: 'applied' })
    const context = counts.context()
    const stops = [interactions, audit, context].map(each => each.subscribe(() => {}))
    const { value } = await when(interactions, (each: LiveView<Interactions>) => each.value !== null)
    const interaction = value?.interactions[0]?.id ?? ''
    expect((await when(context, each => each.value !== null)).value).toMatchObject({ total: 0 })
    const { manipulations } = await counts.change({ do: 'archive', interaction })
    await when(interactions, each => each.value?.interactions[0]?.validity === 'archived')
    await when(audit, each => each.value?.manipulations[0]?.id === manipulations[0])
    await when(context, each => each.value?.total === 2)
    await counts.rollBack({ manipulations })
    await when(interactions, each => each.value?.interactions[0]?.validity === 'active')
    await when(context, each => each.value?.total === 0)
    await house.run(session, 'hello again')
    await when(interactions, each => each.value?.interactions.length === 2)
    // A text answer does not change the context, so the manipulations are not read again.
    await when(audit, (each: LiveView<Manipulations>) => each.value !== null)
    calls = []
    await house.run(session, 'hello once more')
    await when(interactions, each => each.value?.interactions.length === 3)
    expect(calls.filter(call => call.endsWith('manipulations'))).toEqual([])
    const part = `${value?.interactions[0]?.messages[0]?.id}/0`
    expect(await counts.recall(part)).toMatchObject({ part, text: 'hello' })
    expect(await (await counts.exportInteraction(interaction)).text()).toContain('"type":"interaction"')
    const other = await house.session()
    await house.run(other, 'elsewhere')
    expect((await counts.merge(other)).interactions).toHaveLength(1)
    await when(interactions, each => each.value?.interactions.length === 4)
    for (const stop of stops) stop()
  })

  it('[X8] reports why nothing can be shown, and what was refused', async () => {
    const session = await house.session()
    await house.run(session, 'hello')
    const counts = createSessionContext(client, session)
    const { problem } = await when(counts.context({ step: '7' }), each => each.problem !== null)
    expect(problem).toContain('no request 7')
    await expect(counts.change({ do: 'pin', parts: ['x/0'] })).rejects.toMatchObject({ code: 'unknown-part' })
    await expect(counts.rollBack({ manipulations: ['x'] })).rejects.toMatchObject({
      code: 'unknown-manipulation',
    })
  })

  it('[C1] adds less than 2 kB to a page that has the client, and no schema', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [`${import.meta.dirname}/index.ts`],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      metafile: true,
      logLevel: 'silent',
    })
    expect(gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length).toBeLessThan(2000)
    expect(Object.keys(metafile.inputs).filter(input => /node_modules|api\//.test(input))).toEqual([])
  })
})
