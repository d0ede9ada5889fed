import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfiguration } from './configuration/configuration.ts'
import { agentFaults, agentsOf } from './configured-agents.ts'
import { newFolder } from './process.fixture.ts'

const there = {
  kind: 'model',
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:9/v1',
  model: 'small',
}

function configured(agents: object) {
  const folder = newFolder()
  const config = join(folder, 'd.json')
  writeFileSync(config, JSON.stringify({ agents }))
  return { folder, read: () => readConfiguration({ config }, { env: { HOME: folder }, cwd: folder }) }
}

describe('models in the settings', () => {
  it('[A9] are agents with their own names, in addition to the built-in ones', async () => {
    const agents = await agentsOf(configured({ 'my-local': { ...there, title: 'Mine' } }).read())
    const names = agents.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['model', 'anthropic', 'openai', 'google', 'my-local']))
    expect(agents.at(-1)).toMatchObject({ name: 'my-local', title: 'Mine', memory: 'journal' })
  })

  it('[O4] that are invalid fail with their name and what to do, when they are used', async () => {
    const refused = async (added: object, words: string) => {
      const settings = configured({ good: there, ...added }).read()
      const [name = ''] = Object.keys(added)
      const all = await agentsOf(settings)
      const [bad, ...others] = all.filter(agent => agent.name === name)
      expect(others).toEqual([])
      expect(await agentFaults(settings)).toEqual([expect.stringContaining(words)])
      expect(await bad?.find()).toMatchObject({
        status: 'broken',
        advice: expect.stringContaining(words) as string,
      })
      await expect(bad?.check?.({ cwd: '/', dataFolder: '/nowhere', options: null })).rejects.toThrow(words)
      await expect(bad?.connect({} as never)).rejects.toThrow(words)
      // The others can be used.
      const good = all.find(agent => agent.name === 'good')
      await expect(
        good?.check?.({ cwd: '/', dataFolder: '/nowhere', options: null }),
      ).resolves.toBeUndefined()
    }
    await refused(
      { bad: { ...there, provider: 'nobody' } },
      '"agents.bad" cannot be used. For a model, the option "provider" must be one of "anthropic", "openai", "google"',
    )
    await refused({ bad: { ...there, apiKey: 'sk-1' } }, '"agents.bad" cannot be used. Don’t put an API key')
    await refused({ bad: { kind: 'modell' } }, '"remote" or "model"')
    await refused({ bad: { kind: 'wrong', why: 'so' } }, '"remote" or "model"')
    await refused({ bad: 5 }, '"agents.bad" from')
    await refused({ openai: there }, '"agents.openai" needs a different name')
  })

  it('[R3] may name a key file relative to the settings, which other users may not read', async () => {
    const { folder, read } = configured({ mine: { ...there, keyFile: 'key' } })
    writeFileSync(join(folder, 'key'), 'secret', { mode: 0o644 })
    const mine = (await agentsOf(read())).at(-1)
    expect(await mine?.find()).toMatchObject({
      status: 'needs-login',
      advice: `Other users can read ${join(folder, 'key')}, which contains an API key. Run: chmod 600 ${join(folder, 'key')}`,
    })
  })
})
