import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { install } from '../claude-code/parrot.fixture.ts'
import { connect, known, linesOf, python, remote, startService, withoutPython } from './service.fixture.ts'
import { createRemoteAgent, remoteSettingsSchema } from './index.ts'

const document = readFileSync(join(import.meta.dirname, '../../../docs/remote-agents.md'), 'utf8')
const blocks = [...document.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text = '']) => JSON.parse(text) as Json,
)

interface Example {
  readonly programs: Readonly<Record<string, { readonly argv: readonly string[] }>>
  readonly agents: Readonly<Record<string, unknown>>
}

const [proxy, settings] = blocks as unknown as readonly [Example, Example]

describe('docs/remote-agents.md', () => {
  it('[A10] shows settings that can be used', () => {
    for (const [name, given] of Object.entries(settings.agents)) {
      const agent = createRemoteAgent({ name, settings: remoteSettingsSchema.parse(given), agents: known })
      expect(agent.name).toBe(name)
    }
  })

  it('[A10] shows a service that allows every argument that Dragoman passes to Claude Code', async context => {
    if (python === null) return context.skip(withoutPython)
    const folder = install(`console.log(JSON.stringify(process.argv.slice(2))); setInterval(() => {}, 1e6)`)
    const claude = { ...proxy.programs['claude-code'], argv: [process.execPath, join(folder, 'claude')] }
    const service = await startService({ 'claude-code': claude })
    const options = {
      model: 'opus',
      fallbackModel: 'sonnet',
      permissionMode: 'bypassPermissions',
      effort: 'high',
      systemPrompt: 'two\nlines',
      allowedTools: ['Read', 'Bash(git *)'],
      directories: ['/a'],
      settingSources: ['user'],
      maxBudget: 2,
    }
    const { connection } = await connect(remote(service, 'claude-code'), { options, resume: 'own' })
    const [line] = await linesOf(connection, () => true)
    const argv = JSON.parse(line?.raw ?? '[]') as readonly string[]
    expect(argv).toContain('--model=opus')
    expect(argv).toContain('--system-prompt=two\nlines')
    expect(argv).toContain('--resume=own')
  })

  it('[A10] shows a service that can start, with all of its programs', async context => {
    if (python === null) return context.skip(withoutPython)
    const service = await startService(proxy.programs)
    const reply = (await (await service.call('/v1')).json()) as { readonly programs: readonly string[] }
    expect(reply.programs).toEqual(Object.keys(proxy.programs).toSorted())
  })
})
