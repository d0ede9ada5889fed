import { expect, it } from 'vitest'
import type { Journal } from '../../journal/journal.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { createFailingJournal } from '../failing-journal.fixture.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type Act, type PuppetOptions, type Stage } from '../puppet.fixture.ts'

/** An agent with its own session, named after how it was connected. It records its connections. */
function actor(name: string, more: PuppetOptions = {}) {
  const stages: Stage[] = []
  const act: Act = stage => {
    stages.push(stage)
    const { resume, fork } = stage.options
    const agentSession = resume ?? (fork ? `copy of ${fork.agentSession}` : `${name}-${stage.connections}`)
    stage.say({ t: 'begin', agentSession })
    stage.say({ t: 'say', text: `${name} got ${stage.text}` })
    stage.say({ t: 'end' })
  }
  return { puppet: createPuppet({ name, act, ...more }), stages }
}

async function talk(
  agents: readonly ReturnType<typeof actor>[],
  more: NonNullable<Parameters<typeof openHouse>[1]> = {},
) {
  const house = await openHouse(
    agents.map(({ puppet }) => puppet),
    more,
  )
  const session = await house.create('s')
  for (const text of ['one', 'two']) await say(house, session, text)
  return { house, session }
}

async function say({ sessions }: House, session: SessionId, text: string, parent?: string | null) {
  const where = parent === undefined ? {} : { parent }
  await sessions.execute({ type: 'prompt', session, parts: [{ type: 'text', text }], ...where })
  await sessions.whenIdle(session)
}

const ids = async ({ sessions }: House, session: SessionId) =>
  (await sessions.messages(session, { thread: null, limit: 100 })).messages.map(({ message }) => message.id)

const handovers = (house: House, session: SessionId) => house.events(session, 'conversation-handed-over')

it('[A13] another agent gets the conversation so far before its first prompt, and only then', async () => {
  const [first, second] = [actor('puppet'), actor('second')]
  const { house, session } = await talk([first, second])
  await using sessions = house.sessions
  await sessions.execute({ type: 'assign', session, agent: 'second' })
  await say(house, session, 'three')
  await say(house, session, 'four')
  const [third, fourth] = second.stages
  expect(third?.brief).toMatch(/## user\none\n\n## puppet\npuppet got one\n\n## user\ntwo\n/u)
  expect(third?.brief).not.toContain('three')
  expect([third?.text, fourth?.text, fourth?.brief]).toEqual(['three', 'four', ''])
  expect(first.stages.map(({ brief }) => brief)).toEqual(['', ''])
  const transcript = { messages: 4, characters: third?.brief.trimEnd().length, omitted: 0 }
  const handover = { agent: 'second', how: 'transcript', agentSession: null, transcript }
  expect(await handovers(house, session)).toMatchObject([handover])
  expect((await sessions.get(session)).handedOver).toMatchObject(handover)
  const { messages } = await sessions.messages(session, { thread: null, limit: 100 })
  expect(JSON.stringify(messages)).not.toContain('dragoman-conversation')
  const types = (await house.entries(session)).map(({ event }) => event.type)
  const at = types.indexOf('conversation-handed-over')
  expect(types[at - 1]).toBe('agent-connected')
  expect(types[at + 1]).toBe('host-spoke')
})

it('[A13] of a conversation that is too long, the end is handed over, and the journal has what was omitted', async () => {
  const second = actor('second')
  const { house, session } = await talk([actor('puppet'), second], { limits: { transcriptCharacters: 1600 } })
  await using sessions = house.sessions
  for (let index = 0; index < 30; index += 1) await say(house, session, `${index} ${'x'.repeat(100)}`)
  await sessions.execute({ type: 'assign', session, agent: 'second' })
  await say(house, session, 'last')
  const [handover] = await handovers(house, session)
  const { messages = 0, omitted = 0, characters } = handover?.transcript ?? {}
  expect(messages + omitted).toBe(64)
  expect(characters).toBeLessThanOrEqual(1600)
  expect(second.stages[0]?.brief).toContain(`${omitted} earlier messages were left out`)
  expect(second.stages[0]?.brief).toContain('puppet got 29')
})

it('[A14][P9] an agent that was closed as idle resumes its own session', async () => {
  const only = actor('puppet')
  const { house, session } = await talk([only], { limits: { idleMs: 1 } })
  await using sessions = house.sessions
  await expect.poll(() => only.puppet.counts.now).toBe(0)
  await say(house, session, 'three')
  expect(only.stages.at(-1)).toMatchObject({ text: 'three', brief: '', options: { resume: 'puppet-1' } })
  const last = (await handovers(house, session)).at(-1)
  expect(last).toMatchObject({ how: 'resumed', agentSession: 'puppet-1', transcript: null })
  expect((await sessions.get(session)).agentSession).toBe('puppet-1')
})

it('[A13] an agent that cannot resume, or reports that it could not, gets the conversation as a transcript', async () => {
  const forgetful = actor('puppet', { resume: false })
  const { house, session } = await talk([forgetful], { limits: { idleMs: 1 } })
  await using _sessions = house.sessions
  await expect.poll(() => forgetful.puppet.counts.now).toBe(0)
  await say(house, session, 'three')
  expect(forgetful.stages.at(-1)?.brief).toContain('puppet got two')
  const lost = actor('puppet')
  const connect = lost.puppet.connect.bind(lost.puppet)
  lost.puppet.connect = async options => ({ ...(await connect(options)), resumed: false })
  const other = await talk([lost], { limits: { idleMs: 1 } })
  await using _others = other.house.sessions
  await expect.poll(() => lost.puppet.counts.now).toBe(0)
  await say(other.house, other.session, 'three')
  expect(lost.stages.at(-1)).toMatchObject({ options: { resume: 'puppet-1' } })
  expect(lost.stages.at(-1)?.brief).toContain('puppet got two')
  expect((await handovers(other.house, other.session)).at(-1)).toMatchObject({ how: 'transcript' })
})

it('[A18] an agent that has lost its own session gets the same prompt at once, with the conversation', async () => {
  const only = actor('puppet', {
    onConnect: ({ options, exit }) => {
      if (options.resume !== null) exit({ code: 1, reason: 'There is no such session.' })
    },
  })
  const { house, session } = await talk([only], { limits: { idleMs: 1 } })
  await using sessions = house.sessions
  await expect.poll(() => only.puppet.counts.now).toBe(0)
  await say(house, session, 'three')
  expect(only.stages.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  expect(only.stages.at(-1)?.brief).toContain('puppet got two')
  expect(await sessions.get(session)).toMatchObject({ status: 'idle', agentSession: 'puppet-3' })
  const last = (await handovers(house, session)).at(-1)
  expect(last).toMatchObject({ how: 'transcript', lost: 'puppet-1', transcript: { messages: 4 } })
  expect(await house.events(session, 'interaction-ended')).toHaveLength(3)
})

it('[A18] an agent that refuses to open its lost session gets the prompt at once, with the conversation', async () => {
  const only = actor('puppet')
  const connect = only.puppet.connect.bind(only.puppet)
  only.puppet.connect = async options => {
    if (options.resume === null) return connect(options)
    await options.record({ raw: '"open"' })
    throw new Error('no rollout found')
  }
  const { house, session } = await talk([only], { limits: { idleMs: 1 } })
  await using _sessions = house.sessions
  await expect.poll(() => only.puppet.counts.now).toBe(0)
  await say(house, session, 'three')
  expect(only.stages.at(-1)).toMatchObject({ text: 'three', options: { resume: null } })
  expect(only.stages.at(-1)?.brief).toContain('puppet got two')
})

it('[A18] an agent that refuses the prompt for a lost session gets it again, in a new session', async () => {
  const only = actor('puppet')
  const connect = only.puppet.connect.bind(only.puppet)
  only.puppet.connect = async options => {
    const connection = await connect(options)
    const refuse = () => Promise.reject(new Error('There is no such session.'))
    return options.resume === null ? connection : { ...connection, prompt: refuse }
  }
  const { house, session } = await talk([only], { limits: { idleMs: 1 } })
  await using _sessions = house.sessions
  await expect.poll(() => only.puppet.counts.now).toBe(0)
  await say(house, session, 'three')
  expect(only.stages.at(-1)).toMatchObject({ text: 'three', options: { resume: null } })
  expect((await house.events(session, 'interaction-ended')).at(-1)).toMatchObject({ outcome: 'finished' })
})

it.each(['folder-read-only', 'journal-closed'] as const)(
  '[A18] an agent that resumed its session has not lost it when the journal fails with "%s": no other agent gets its prompt',
  async failure => {
    const { disk, wrap } = createFailingJournal()
    // It fails only for a moment, like a file system that is remounted.
    const briefly = (journal: Journal): Journal => ({
      ...wrap(journal),
      append: (...given) =>
        wrap(journal)
          .append(...given)
          .finally(() => (disk.failure = null)),
    })
    let goOn = () => {}
    const only = actor('puppet', {
      act: ({ say: tell, text, options }) => {
        tell({ t: 'begin', agentSession: options.resume ?? 'mine' })
        goOn = () => tell({ t: 'say', text: 'more' })
        if (text !== 'three') tell({ t: 'end' })
      },
    })
    const { house, session } = await talk([only], { wrap: briefly, limits: { idleMs: 1 } })
    await using sessions = house.sessions
    await expect.poll(() => only.puppet.counts.now).toBe(0)
    const { interaction } = await house.prompt(session, 'three')
    await expect.poll(async () => (await house.events(session, 'agent-spoke')).length).toBe(5)
    disk.failure = failure
    goOn()
    await expect.poll(() => only.puppet.counts.now).toBe(0)
    await sessions.whenIdle(session)
    expect(only.puppet.counts.ever).toBe(2)
    expect(only.puppet.prompts).toHaveLength(3)
    expect((await house.events(session, 'interaction-ended')).at(-1)).toMatchObject({ interaction })
  },
)

it('[A18] an agent that also fails without its session fails once, with a reason', async () => {
  const only = actor('puppet', {
    onConnect: ({ connections, exit }) => {
      if (connections > 1) exit({ code: 1, reason: 'It is broken.' })
    },
  })
  const { house, session } = await talk([only], { limits: { idleMs: 1 } })
  await using sessions = house.sessions
  await expect.poll(() => only.puppet.counts.now).toBe(0)
  await say(house, session, 'three')
  expect(await sessions.get(session)).toMatchObject({ status: 'failed' })
  const ended = await house.events(session, 'interaction-ended')
  expect(ended).toHaveLength(3)
  expect(ended.at(-1)?.reason).toContain('It is broken.')
  expect(await house.events(session, 'agent-exited')).toHaveLength(3)
})

it('[A13] after an edit the agent gets a copy of its session without the replaced messages, or a transcript', async () => {
  for (const fork of [true, false]) {
    const only = actor('puppet', { fork })
    const { house, session } = await talk([only])
    await using sessions = house.sessions
    const [, answer = ''] = await ids(house, session)
    await say(house, session, 'two and a half', answer)
    const last = only.stages.at(-1)
    expect(last?.options.resume).toBeNull()
    expect(last?.brief ?? '').not.toContain('two')
    expect(last?.options.fork).toEqual(
      // The fork point is the last line of the interaction.
      fork ? { agentSession: 'puppet-1', last: JSON.stringify({ t: 'end' }) } : undefined,
    )
    if (!fork) expect(last?.brief).toContain('puppet got one')
    expect((await handovers(house, session)).map(({ how }) => how)).toEqual([fork ? 'forked' : 'transcript'])
    const [, connected] = await house.events(session, 'agent-connected')
    expect(connected?.forked).toBe(fork ? 'puppet-1' : undefined)
    // From the first message on there is no conversation.
    await say(house, session, 'anew', null)
    expect(only.stages.at(-1)).toMatchObject({ brief: '', options: { resume: null } })
    expect(await handovers(house, session)).toHaveLength(1)
    expect((await sessions.get(session)).agentSession).toBe('puppet-3')
  }
})

it('[A13] no copy is made in the middle of an interaction, and continuing from the newest message is a normal prompt', async () => {
  const only = actor('puppet', { fork: true })
  const { house, session } = await talk([only])
  await using _sessions = house.sessions
  const before = await ids(house, session)
  await say(house, session, 'three', before.at(-1) ?? '')
  expect(only.puppet.counts.ever).toBe(1)
  await say(house, session, 'again', before[0])
  expect(only.stages.at(-1)?.options.fork).toBeUndefined()
  expect(only.stages.at(-1)?.brief).toMatch(/## user\none\n<\//u)
})

it('[A13][X5] a branch starts with a copy of the agent’s session that ends at the same message, or with a transcript', async () => {
  for (const fork of [true, false]) {
    const only = actor('puppet', { fork })
    const { house, session } = await talk([only])
    await using sessions = house.sessions
    const [, answer = ''] = await ids(house, session)
    const branch = await sessions.execute({ type: 'branch', session, message: answer })
    await say(house, branch.session, 'elsewhere')
    const last = only.stages.at(-1)
    expect(last?.options.fork?.agentSession).toBe(fork ? 'puppet-1' : undefined)
    expect(last?.brief === '').toBe(fork)
    expect((await sessions.get(branch.session)).handedOver?.how).toBe(fork ? 'forked' : 'transcript')
    // The original continues as before.
    await say(house, session, 'three')
    expect(await handovers(house, session)).toEqual([])
  }
})

it('[A13] the options of a new session are only for the agent that it was created with', async () => {
  const [first, second] = [actor('puppet'), actor('second')]
  const house = await openHouse([first.puppet, second.puppet])
  await using sessions = house.sessions
  const options = { model: 'mine' }
  const { session } = await sessions.execute({ type: 'create', agent: 'puppet', cwd: '/', options })
  await say(house, session, 'one')
  await sessions.execute({ type: 'assign', session, agent: 'second' })
  await say(house, session, 'two')
  expect(first.stages[0]?.options.options).toEqual(options)
  expect(second.stages[0]?.options.options).toBeNull()
})
