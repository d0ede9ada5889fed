import { expect, it } from 'vitest'
import { install } from '../../agents/claude-code/parrot.fixture.ts'
import { pretendCodex } from '../../agents/codex/program.fixture.ts'
import type { Agent, ConnectOptions, OptionsSchema } from '../../agents/agent.ts'
import { agents } from '../../agents/index.ts'
import { loaded } from '../../agents/load-when-used.ts'
import type { Json } from '../../protocol/json.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse, type House } from '../house.fixture.ts'
import { createPuppet, type PuppetOptions } from '../puppet.fixture.ts'

const declared: OptionsSchema = {
  type: 'object',
  properties: { model: { 'x-keeps-rules': true }, program: {}, from: { 'x-new': true } },
}

/** A puppet that declares options, and what it was started with. */
function createOptionPuppet(options: PuppetOptions = {}) {
  const seen: Pick<ConnectOptions, 'options' | 'resume'>[] = []
  const puppet = createPuppet(options)
  const agent: Agent = {
    ...puppet,
    options: declared,
    connect(given) {
      seen.push({ options: given.options, resume: given.resume })
      return puppet.connect(given)
    },
  }
  return { agent, seen }
}

const configure = (house: House, session: SessionId, options: Readonly<Record<string, Json>>) =>
  house.sessions.execute({ type: 'configure', session, options })

const speak: NonNullable<PuppetOptions['act']> = ({ say }) => {
  say({ t: 'begin', agentSession: 'theirs' })
  say({ t: 'end' })
}

it('[A17] changed options start the agent again, which resumes its own session', async () => {
  const { agent, seen } = createOptionPuppet({ act: speak })
  const house = await openHouse([agent])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  const { seq } = await configure(house, session, { model: 'oak', program: 'saw' })
  expect(seq).not.toBeNull()
  expect((await sessions.get(session)).options).toEqual({ model: 'oak', program: 'saw' })
  await configure(house, session, { model: 'elm' })
  await configure(house, session, { program: null })
  await house.prompt(session, 'two')
  await sessions.whenIdle(session)
  expect(seen).toEqual([
    { options: null, resume: null },
    { options: { model: 'elm' }, resume: 'theirs' },
  ])
  const exits = await house.events(session, 'agent-exited')
  expect(exits[0]?.reason).toBe('Closed because its options changed.')
  expect(await house.events(session, 'agent-assigned')).toMatchObject([
    { agent: 'puppet', options: { model: 'oak', program: 'saw' } },
    { agent: 'puppet', options: { model: 'elm', program: 'saw' } },
    { agent: 'puppet', options: { model: 'elm' } },
  ])
})

it('[A17] the same options change nothing, and the agent keeps running', async () => {
  const { agent } = createOptionPuppet({ act: speak })
  const house = await openHouse([agent])
  await using sessions = house.sessions
  const session = await house.create()
  await configure(house, session, { model: 'oak' })
  await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  expect(await configure(house, session, { model: 'oak', program: null })).toEqual({ seq: null })
  await house.prompt(session, 'two')
  await sessions.whenIdle(session)
  expect(await house.events(session, 'agent-connected')).toHaveLength(1)
})

it('[A17] options are kept after a restart and in a branch', async () => {
  const { agent } = createOptionPuppet({ act: speak })
  const house = await openHouse([agent])
  const session = await house.create()
  await house.prompt(session, 'one')
  await house.sessions.whenIdle(session)
  await configure(house, session, { model: 'oak' })
  const { messages } = await house.sessions.messages(session, { thread: null, limit: 9 })
  const message = messages.at(-1)?.message.id ?? ''
  await house.sessions[Symbol.asyncDispose]()
  const again = await house.reopen()
  await using sessions = again.sessions
  expect((await sessions.get(session)).options).toEqual({ model: 'oak' })
  const { session: branch } = await sessions.execute({ type: 'branch', session, message })
  expect((await sessions.get(branch)).options).toEqual({ model: 'oak' })
})

it('[A17] [R2] a change is refused while the agent works, and for an option of new sessions', async () => {
  const { agent } = createOptionPuppet({
    act: ({ say, interrupted }) => {
      say({ t: 'begin' })
      interrupted.addEventListener('abort', () => say({ t: 'end', reason: 'interrupted' }))
    },
  })
  const house = await openHouse([agent])
  await using sessions = house.sessions
  const session = await house.create()
  await expect(configure(house, session, { from: 'x' })).rejects.toMatchObject({
    code: 'invalid-input',
    message: 'The option "from" of Puppet can only be set for a new session. Start one with it.',
  })
  await house.prompt(session, 'long')
  await expect(configure(house, session, { model: 'oak' })).rejects.toMatchObject({
    code: 'session-busy',
    message: expect.stringContaining('cannot change its options now. Wait until it is idle') as string,
  })
  await sessions.execute({ type: 'interrupt', session })
  await sessions.whenIdle(session)
  await configure(house, session, { model: 'oak' })
  expect(await house.events(session, 'agent-assigned')).toHaveLength(1)
})

it('[A17] [S10] rules outlive another model, but not an option that may change what a call does', async () => {
  const { agent } = createOptionPuppet({
    act: async ({ say, answer }) => {
      say({ t: 'begin' })
      say({ t: 'ask', id: 'a', tool: 'Bash', input: { command: 'ls' } })
      await answer('a')
      say({ t: 'end' })
    },
  })
  const house = await openHouse([agent])
  await using sessions = house.sessions
  const session = await house.create()
  await house.prompt(session, 'ask')
  await expect.poll(async () => (await sessions.get(session)).pending).toHaveLength(1)
  await sessions.execute({
    type: 'answer',
    session,
    approval: 'a',
    approved: true,
    always: true,
  })
  await sessions.whenIdle(session)
  const rules = async () => (await sessions.approvals(session)).rules.length
  expect(await rules()).toBe(1)
  await configure(house, session, { model: 'oak' })
  expect(await rules()).toBe(1)
  await configure(house, session, { model: 'elm', program: 'saw' })
  expect(await rules()).toBe(0)
})

const real = async (name: string) => {
  const agent = agents.find(each => each.name === name)
  if (agent === undefined) throw new Error(`no ${name}`)
  return loaded(agent)
}

const claude = `
const say = words => process.stdout.write(JSON.stringify(words) + '\\n')
require('node:readline').createInterface({ input: process.stdin }).on('line', text => {
  const line = JSON.parse(text)
  if (line.type === 'control_request')
    return say({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id, response: {} } })
  if (line.type !== 'user') return
  const session_id = 'f0000000-0000-4000-8000-000000000001'
  say({ type: 'system', subtype: 'init', session_id, model: 'm', argv: process.argv.slice(2), cwd: '/', tools: [], mcp_servers: [], permissionMode: 'default' })
  say({ type: 'result', subtype: 'success', is_error: false, result: '', session_id, duration_ms: 1, num_turns: 1, total_cost_usd: 0, usage: { input_tokens: 1, output_tokens: 1 } })
})`

it('[A17] the next process of Claude Code gets the new flags', async () => {
  install(claude)
  const house = await openHouse([await real('claude-code')])
  await using sessions = house.sessions
  const session = await sessions
    .execute({ type: 'create', agent: 'claude-code', cwd: '/', options: { model: 'haiku' } })
    .then(made => made.session)
  const argumentsSeen = async () => {
    const lines = (await house.events(session, 'agent-spoke')).map(
      ({ raw }) => JSON.parse(raw) as { argv?: string[] },
    )
    return lines.flatMap(({ argv }) => (argv === undefined ? [] : [argv]))
  }
  await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  await configure(house, session, { model: 'opus', effort: 'high', permissionMode: 'plan' })
  await house.prompt(session, 'two')
  await sessions.whenIdle(session)
  const [first = [], second = []] = await argumentsSeen()
  expect(first).toContain('--model=haiku')
  expect(second).toEqual(
    expect.arrayContaining([
      '--model=opus',
      '--effort=high',
      '--permission-mode=plan',
      '--resume=f0000000-0000-4000-8000-000000000001',
    ]),
  )
  await expect(configure(house, session, { permissionMode: 'all' })).rejects.toThrow(
    'the option "permissionMode" must be one of "default"',
  )
  await expect(configure(house, session, { modle: 'opus' })).rejects.toThrow(
    'Claude Code has no option "modle". Available options: model, permissionMode, effort',
  )
})

const codex = `
hear(({ id, method, params }) => {
  if (id === undefined || method === undefined) return
  say({ id, result: method.startsWith('thread/') ? { thread: { id: 'T' } } : { turn: { id: 'U' } } })
  if (method.startsWith('thread/')) say({ method: 'thread/started', params: { thread: { id: 'T' } } })
  if (method !== 'turn/start') return
  say({ method: 'turn/started', params: { threadId: 'T', turn: { id: 'U' } } })
  say({ method: 'turn/completed', params: { threadId: 'T', turn: { id: 'U', status: 'completed' } } })
})`

it('[A17] the next process of Codex gets the new model, sandbox and effort', async () => {
  pretendCodex(codex)
  const house = await openHouse([await real('codex')])
  await using sessions = house.sessions
  const { session } = await sessions.execute({ type: 'create', agent: 'codex', cwd: '/' })
  await house.prompt(session, 'one')
  await sessions.whenIdle(session)
  await configure(house, session, { model: 'gpt-6-sol', sandbox: 'read-only', effort: 'high' })
  await house.prompt(session, 'two')
  await sessions.whenIdle(session)
  const sent = (await house.events(session, 'host-spoke')).map(
    ({ raw }) => JSON.parse(raw) as { method?: string; params?: object },
  )
  const requests = sent.filter(({ method = '' }) => /^(thread|turn)\//.test(method))
  expect(requests.map(({ method }) => method)).toEqual([
    'thread/start',
    'turn/start',
    'thread/resume',
    'turn/start',
  ])
  expect(requests[2]?.params).toMatchObject({ threadId: 'T', model: 'gpt-6-sol', sandbox: 'read-only' })
  expect(requests[3]?.params).toMatchObject({ effort: 'high' })
})
