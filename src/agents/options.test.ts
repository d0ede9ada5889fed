import { describe, expect, it } from 'vitest'
import { isDragomanError } from '../protocol/error.ts'
import { agents, loadAgents, modelPresets } from './index.ts'
import { loaded } from './load-when-used.ts'

/** An invalid option of each agent, and the error about it. */
const wrong = {
  scripted: [{ pace: 'slow' }, 'the option "pace" must be'],
  'claude-code': [{ permissionMode: 'everything' }, 'the option "permissionMode" must be one of "default"'],
  codex: [{ model: 5 }, 'the option "model" must be a string'],
  opencode: [{ model: 'alone' }, 'the option "model" is not valid: write it as "provider/model"'],
  'gemini-cli': [{ model: 5 }, 'For Gemini CLI, the option "model" must be a string'],
  acp: [null, 'Set its command in the option "command"'],
  model: [{ api: 5 }, '"api" must be'],
} as const

describe('invalid options of an agent', () => {
  it('are tested for each agent', () => {
    expect(Object.keys(wrong).toSorted()).toEqual(agents.map(({ name }) => name).toSorted())
  })

  it.for(agents)('[R2] are refused with a sentence before anything starts: $name', async agent => {
    const [options, sentence] = wrong[agent.name as keyof typeof wrong]
    const error = await agent.check?.({ cwd: '/', dataFolder: '/nowhere', options }).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(isDragomanError(error, 'invalid-input')).toBe(true)
    expect((error as Error).message).toContain(sentence)
  })
})

const all = [...(await loadAgents()), ...(await Promise.all(modelPresets.map(loaded)))]
const propertiesOf = (name: string) => all.find(agent => agent.name === name)?.options?.properties ?? {}

describe('the options that agents declare', () => {
  it.for(all)('[A17] are a JSON schema with a title and a sentence for each: $name', ({ options }) => {
    const { type, properties = {} } = options ?? {}
    expect(type).toBe('object')
    expect(Object.keys(properties).length).toBeGreaterThan(2)
    for (const [name, option] of Object.entries(properties)) {
      expect(option.title, name).toMatch(/^[A-Z]/)
      expect(option.description, name).toMatch(/[.]$/)
      const shown = [...(option.enum ?? []), ...(option.examples ?? [])]
      for (const labelled of Object.keys(option['x-risks'] ?? {})) expect(shown, name).toContain(labelled)
    }
  })

  it.for(all)('[A17] are those that are checked, and no other is accepted: $name', async agent => {
    const names = Object.keys(agent.options?.properties ?? {})
    const given = { cwd: '/', dataFolder: '/nowhere', options: { provider: 'anthropic', nonsense: 1 } }
    if (agent.name === 'acp') Object.assign(given.options, { preset: 'gemini', provider: undefined })
    else if (agent.name !== 'model') Object.assign(given.options, { provider: undefined })
    const options = JSON.parse(JSON.stringify(given.options)) as { readonly nonsense: number }
    const error = await agent.check?.({ ...given, options }).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(isDragomanError(error, 'invalid-input')).toBe(true)
    const [, listed = ''] =
      /no option "nonsense".*Available options: (.*)\.$/.exec((error as Error).message) ?? []
    const available = new Set(listed.split(', '))
    expect(names.filter(name => !available.has(name))).toEqual([])
  })

  it('[A17] name the risk of every value that lets an agent act without asking', () => {
    const risky = [
      ['claude-code', 'permissionMode', 'bypassPermissions'],
      ['claude-code', 'permissionMode', 'acceptEdits'],
      ['codex', 'approvalPolicy', 'never'],
      ['codex', 'sandbox', 'danger-full-access'],
      ['gemini-cli', 'mode', 'yolo'],
    ] as const
    for (const [agent, option, value] of risky)
      expect(propertiesOf(agent)[option]?.['x-risks']?.[value], `${agent} ${option}`).toMatch(/[.]$/)
  })

  it('[A17] [S10] keep rules only if they cannot change which program or tool a call means', () => {
    const changing =
      /^(config|command|args|env|mcpServers|preset|settingSources|directories|sandbox|agent|inherit|tools|script|terminals)$/
    for (const { name, options } of all)
      for (const [option, schema] of Object.entries(options?.properties ?? {}))
        if (changing.test(option)) expect(schema['x-keeps-rules'], `${name} ${option}`).toBeUndefined()
  })

  it('[A17] an option that says where a key is sent cannot be set for a session of a named model', () => {
    for (const name of ['provider', 'baseUrl', 'keyName', 'keyFile', 'api']) {
      expect(propertiesOf('anthropic')).not.toHaveProperty(name)
      expect(propertiesOf('model')).toHaveProperty([name, 'x-new'], true)
    }
    expect(propertiesOf('anthropic')['model']?.examples).toContain('claude-sonnet-5')
  })
})
