import { describe, expect, it } from 'vitest'
import type { PromptId } from '../../protocol/ids.ts'
import { methodsIn, connectFake, textIn } from './connect.fixture.ts'
import type { FakeManner } from './fake-agent.fixture.ts'
import { acp } from './index.ts'
import type { JsonObject } from './messages.ts'

describe('sessions over ACP', () => {
  const sessionCapabilities = { resume: {} }

  it('[P9] resumes a session in the way that the agent supports', async () => {
    const resumed = await connectFake(
      { capabilities: { agentCapabilities: { sessionCapabilities } } },
      { resume: 'old' },
    )
    await resumed.ask('hello')
    expect(methodsIn(resumed.sent)).toEqual(['initialize', 'session/resume', 'session/prompt'])
    const loaded = await connectFake(
      { capabilities: { agentCapabilities: { loadSession: true } } },
      { resume: 'old' },
    )
    await loaded.ask('hello')
    expect(methodsIn(loaded.sent)).toEqual(['initialize', 'session/load', 'session/prompt'])
    const all = textIn(loaded.received)
    expect(all).toBe('old wordsmore old wordsHello')
  })

  it('[P9] begins a new session where the old one is lost, and reports it', async () => {
    for (const manner of [
      { forgets: true, capabilities: { agentCapabilities: { sessionCapabilities } } },
      {},
    ]) {
      const { ask, sent, connection } = await connectFake(manner, { resume: 'old' })
      await ask('hello')
      expect(await connection.resumed).toBe(false)
      const params = sent.find(({ method }) => method === 'session/new')?.['params']
      expect(params).toMatchObject({ _meta: { dragoman: { notResumed: 'old' } } })
    }
  })

  it('[A8] sets mode, model and options as the agent offers them', async () => {
    const wish = { mode: 'plan', model: 'big', config: { web: true } }
    const configOptions = [{ id: 'm', category: 'model' }]
    const first = await connectFake(
      { setUp: { modes: {}, configOptions } },
      { options: { ...wish, mcpServers: [{ name: 'x' }] } },
    )
    await first.ask('hello')
    expect(first.sent.slice(1, 5)).toMatchObject([
      { method: 'session/new', params: { mcpServers: [{ name: 'x' }] } },
      { method: 'session/set_mode', params: { modeId: 'plan' } },
      { method: 'session/set_config_option', params: { configId: 'm', value: 'big' } },
      { method: 'session/set_config_option', params: { configId: 'web', value: true, type: 'boolean' } },
    ])
    const second = await connectFake(
      { version: 2, setUp: { configOptions: [{ configId: 'k', category: 'mode' }] } },
      { options: { ...wish, protocol: 2 } },
    )
    await second.connection.prompt('p' as PromptId, [{ type: 'text', text: 'hello' }])
    expect(second.sent.slice(0, 4)).toMatchObject([
      { params: { protocolVersion: 2, info: { name: 'dragoman' } } },
      {},
      { method: 'session/set_config_option', params: { configId: 'k', value: 'plan', type: 'id' } },
      { method: 'session/set_model', params: { modelId: 'big' } },
    ])
  })
})

describe('an ACP agent that cannot be used', () => {
  const failure = async (manner: FakeManner, options: JsonObject = {}) => {
    const { ask } = await connectFake(manner, { options })
    return ask('hello').catch((error: Error) => error.message)
  }

  it('[R2] fails with a message that says what to do', async () => {
    expect(await failure({ needsLogin: true })).toContain(
      'is not logged in. Start it once in a terminal and log in. Login methods: API key.',
    )
    expect(await failure({ version: 7 })).toContain(
      'uses version 7 of the protocol. Dragoman supports versions 1 and 2.',
    )
    expect(await failure({ deafTo: 'initialize' }, { startMs: 300 })).toContain(
      'was not ready within 0.3 seconds and was stopped.',
    )
    expect(await failure({}, { command: 'no-such-agent', args: [] })).toContain(
      'The program "no-such-agent" was not found.',
    )
    expect(await failure({}, { args: ['-e', 'console.error("broken"); process.exit(4)'] })).toContain(
      'exited with code 4 before it was ready: broken. Try',
    )
    await expect(connectFake({}, { options: { command: 7 } })).rejects.toMatchObject({
      code: 'invalid-input',
    })
    const none = acp.connect({
      cwd: '/',
      resume: null,
      options: null,
      dataFolder: '/',
      record: () => Promise.resolve(),
      signal: AbortSignal.timeout(1000),
    })
    await expect(none).rejects.toThrow('No agent chosen')
  })

  it('[R2] is reported when it exits', async () => {
    const { connection } = await connectFake()
    await connection.prompt('p' as PromptId, [{ type: 'text', text: 'die' }])
    expect(await connection.exit).toMatchObject({ code: 3, reason: 'I cannot go on' })
    await expect(connection.prompt('p' as PromptId, [])).rejects.toMatchObject({ code: 'agent-unavailable' })
  })
})
