import { expect, it } from 'vitest'
import type { Agent, Connection } from '../../agents/agent.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet } from '../puppet.fixture.ts'

/** Prompts an agent that breaks the contract; returns the end of the interaction and what was logged. */
async function tryAgent(change: (puppet: Agent) => Partial<Agent>) {
  const puppet = createPuppet({ name: 'tiny' })
  const reported: string[] = []
  const house = await openHouse([{ ...puppet, ...change(puppet) }], {
    report: message => void reported.push(message),
  })
  await using sessions = house.sessions
  const { session } = await sessions.execute({ type: 'create', agent: 'tiny', cwd: '/', options: null })
  await house.prompt(session, 'go')
  await sessions.whenIdle(session)
  const [ended] = await house.events(session, 'interaction-ended')
  return { ended, reported }
}

const connecting = (puppet: Agent, change: (connection: Connection) => object) => ({
  connect: async (options: Parameters<Agent['connect']>[0]) =>
    ({ ...(await puppet.connect(options)), ...change(await puppet.connect(options)) }) as Connection,
})

async function* texts() {
  yield { text: 'hello' }
}

const faults: readonly (readonly [string, (puppet: Agent) => object, string])[] = [
  [
    'gives messages of another shape',
    puppet => connecting(puppet, () => ({ messages: texts() })),
    '"messages" gave {"text":"hello"} where { "raw": "…" } was expected.',
  ],
  [
    'has no messages',
    puppet => connecting(puppet, () => ({ messages: undefined })),
    '"connect" returned an object whose "messages" is not an async iterable.',
  ],
  [
    'cannot be prompted',
    puppet => connecting(puppet, () => ({ prompt: 'no' })),
    '"connect" returned an object whose "prompt" is not a function.',
  ],
  [
    'has no exit',
    puppet => connecting(puppet, () => ({ exit: undefined })),
    '"connect" returned an object whose "exit" is not a promise.',
  ],
  [
    'returns nothing from connect',
    () => ({ connect: async () => undefined }),
    '"connect" returned an object whose "messages" is not an async iterable.',
  ],
  [
    'translates into something else',
    () => ({ translate: (state: unknown) => [state, [{ type: 'text-delta' }]] }),
    'where [state, chunks] was expected.',
  ],
  ['translates into nothing', () => ({ translate: () => undefined }), 'where [state, chunks] was expected.'],
]

it.each(faults)(
  '[A18] an agent that %s fails with a reason that names it and the fault',
  async (_, change, fault) => {
    const { ended, reported } = await tryAgent(puppet => change(puppet))
    expect(ended).toMatchObject({ outcome: 'failed' })
    expect(ended?.reason).toContain('The agent "tiny" does not work: ')
    expect(ended?.reason).toContain(fault)
    expect(reported[0]).toContain(fault)
  },
)

it('[A18] an agent that throws while it sends messages fails with that error', async () => {
  async function* broken() {
    yield { raw: '{"t":"begin"}' }
    throw new Error('The socket broke.')
  }
  const { ended } = await tryAgent(puppet => connecting(puppet, () => ({ messages: broken() })))
  expect(ended).toMatchObject({ outcome: 'failed' })
  expect(ended?.reason).toContain('The socket broke.')
})
