import { expect, it } from 'vitest'
import { scripted } from '../../agents/scripted/index.ts'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'
import { preferencesInMemory } from '../preferences.ts'

const { isDemo: _, ...real } = { ...scripted, name: 'real', title: 'Real' }

const change = (server: Opened, body: object) => server.call('changeSettings', { body })

it('[A17] without choices, shows the defaults and where they come from', async () => {
  await using server = await openDragoman()
  const { json } = await server.call('getSettings', {})
  expect(json).toEqual({
    agent: { value: null, isFixed: false },
    context: { value: 'safe', isFixed: false },
    options: {},
    folder: { data: server.store.folder, default: server.root, roots: [server.root] },
    prices: { date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string, own: {} },
  })
})

it('[A17] a chosen default agent and its options count for new sessions, also after a restart', async () => {
  const preferences = preferencesInMemory()
  const create = async (server: Opened, body: object = {}) =>
    (await server.call('createSession', { body })).json
  {
    await using server = await openDragoman({ agents: [scripted, real], preferences })
    expect((await create(server)).agent).toBe('real')
    const { json } = await change(server, { agent: 'scripted', options: { scripted: { pace: 0 } } })
    expect(json).toMatchObject({ agent: { value: 'scripted' }, options: { scripted: { pace: 0 } } })
    const listed = (await server.call('listAgents', {})).json.agents.find(each => each.default)
    expect(listed?.name).toBe('scripted')
  }
  await using server = await openDragoman({ agents: [scripted, real], preferences })
  expect(await create(server)).toMatchObject({ agent: 'scripted', options: { pace: 0 } })
  expect(await create(server, { options: { seed: 'x' } })).toMatchObject({ options: { seed: 'x' } })
  expect(await create(server, { agent: 'real' })).toMatchObject({ agent: 'real', options: null })
  await change(server, { agent: null, options: { scripted: null } })
  expect(await create(server)).toMatchObject({ agent: 'real', options: null })
})

it('[A17] the context profile is changed for sessions that do not choose one, while the server runs', async () => {
  await using server = await openDragoman()
  const session = await server.session()
  await server.run(session, 'tools')
  const profile = async () => {
    const { json } = await server.call('getContext', { params: { session } })
    return json.policy
  }
  expect(await profile()).toBe('safe')
  await change(server, { context: 'aggressive' })
  expect(await profile()).toBe('aggressive')
  await change(server, { context: null })
  expect(await profile()).toBe('safe')
})

it('[A17] [R2] refuses what is not valid or was set at the start, and keeps what it had', async () => {
  await using server = await openDragoman({ defaultAgent: 'scripted', context: 'lossless' })
  const wrong = [
    [
      { agent: 'scripted' },
      400,
      '"agent" was set to "scripted" when the server was started. Change it there',
    ],
    [{ context: 'safe' }, 400, '"context" was set to "lossless"'],
    [{ options: { nobody: {} } }, 404, 'There is no agent "nobody"'],
    [
      { options: { scripted: { pase: 1 } } },
      400,
      'has no option "pase". Available options: script, pace, seed.',
    ],
    [{ options: { scripted: 5 } }, 400, 'must be an object, or null'],
    [{ token: 'x' }, 400, 'unknown field "token"'],
  ] as const
  for (const [body, status, sentence] of wrong)
    expect(await change(server, body), JSON.stringify(body)).toMatchObject({
      status,
      json: { detail: expect.stringContaining(sentence) as string },
    })
  const { json } = await server.call('getSettings', {})
  expect(json).toMatchObject({
    agent: { value: 'scripted', isFixed: true },
    context: { value: 'lossless', isFixed: true },
    options: {},
  })
})

it('[A17] damaged choices are reported and not used', async () => {
  for (const damaged of ['{', '[]', '{"context":"everything"}', '{"options":{"scripted":[]}}']) {
    const preferences = { ...preferencesInMemory(), read: () => damaged }
    await using server = await openDragoman({ preferences })
    expect(server.lines.join('\n')).toContain('The saved preferences cannot be read')
    expect((await server.call('getSettings', {})).json).toMatchObject({ agent: { value: null }, options: {} })
  }
})
