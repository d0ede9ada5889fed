import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { modelAgent } from '../../agents/model/index.ts'
import { startFakeOpenAiChat } from '../../testing/index.ts'
import { openDragoman } from '../dragoman.fixture.ts'

interface Said {
  readonly role: string
  readonly content: unknown
}

const file = Array.from({ length: 60 }, (_, index) => `line ${index + 1} of a file that is read twice`).join(
  '\n',
)

/** A model that reads the file twice after each prompt. */
const startModel = () =>
  startFakeOpenAiChat(({ body }) => {
    const messages = body['messages'] as unknown as readonly Said[]
    const asked = messages.findLastIndex(({ role }) => role === 'user')
    const results = messages.slice(asked).filter(({ role }) => role === 'tool').length
    return results < 2
      ? { pieces: [{ call: `call-${messages.length}`, name: 'read', input: { path: 'a.txt' } }] }
      : { pieces: ['I have read it twice.'] }
  })

/** A session of that model, which has been prompted once. */
async function open() {
  const stack = new AsyncDisposableStack()
  const fake = stack.use(await startModel())
  const settings = { provider: 'openai-compatible', model: 'fake', baseUrl: fake.url }
  const server = stack.use(await openDragoman({ agents: [modelAgent('fake', settings)] }))
  writeFileSync(join(server.root, 'a.txt'), file)
  const session = (await server.call('createSession', { body: {} })).json.id
  await server.run(session, 'Read a.txt.')
  /** What the model got last, and the results in it. */
  const sent = () => JSON.stringify(fake.requests.at(-1)?.body)
  const results = () => {
    const { messages } = JSON.parse(sent()) as { readonly messages: readonly Said[] }
    return messages.flatMap(({ role, content }) => (role === 'tool' ? [JSON.stringify(content)] : []))
  }
  const run = (text: string) => server.run(session, text)
  const end = () => stack.disposeAsync()
  return { server, params: { session }, run, sent, results, [Symbol.asyncDispose]: end }
}

const shows = (text: string) => text.includes('line 40 of a file')

it('[X4] [X6] a model gets what the context shows, and a rollback restores the text', async () => {
  await using scene = await open()
  const { server, params, run, results } = scene
  expect(results().map(shows)).toEqual([true, false])
  expect(results()[1]).toContain('same as lines')

  const { json: before } = await server.call('getContext', { params })
  expect(before).toMatchObject({ effective: 'applied', source: 'sent', policy: 'safe', total: 1 })
  const [part] = before.parts
  expect(part).toMatchObject({ as: 'reference', rule: 'duplicate' })
  expect(part?.tokens?.after).toBeLessThan((part?.tokens?.before ?? 0) / 5)
  expect(before.saved.requests).toBe(3)
  const { json: one } = await server.call('getContext', { params, query: { part: part?.recall ?? '' } })
  expect(shows(one.recalled?.text ?? '')).toBe(true)

  const body = { manipulations: [part?.manipulation ?? ''] }
  expect((await server.call('rollBack', { params, body })).json.manipulations).toEqual(body.manipulations)
  await run('And now?')
  expect(results().map(shows).slice(0, 2)).toEqual([true, true])
  const { json: after } = await server.call('getContext', { params })
  expect(after.parts.map(each => each.part)).not.toContain(part?.part)
})

it('[X4] [X6] a deleted part is not in the next request, and is there again after a rollback', async () => {
  await using scene = await open()
  const { server, params, run, sent } = scene
  const { interactions } = (await server.call('listInteractions', { params })).json
  const interaction = interactions[0]?.id ?? ''
  await server.call('manipulate', { params, body: { changes: [{ do: 'delete', interaction }] } })
  await run('And now?')
  expect(sent()).not.toContain('Read a.txt.')
  expect(sent()).toContain('And now?')
  await server.call('rollBack', { params, body: { interaction } })
  await run('And again.')
  expect(sent()).toContain('Read a.txt.')
})
