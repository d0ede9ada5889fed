import { describe, expect, it } from 'vitest'
import { newFolder, startProcess } from './process.fixture.ts'

const counting = new URL('./count-modules.fixture.ts', import.meta.url).href
const most = 350

async function modulesOf(...args: readonly string[]): Promise<readonly string[]> {
  const wrap = ([node = '', ...rest]: readonly string[]) => [node, '--import', counting, ...rest]
  const { code, err } = await startProcess(args, wrap).ended
  expect(code, err).toBe(0)
  return JSON.parse(/^modules (.*)$/m.exec(err)?.[1] ?? '[]') as readonly string[]
}

describe('the modules that a command loads', () => {
  it(`[O1] "run" with the scripted agent loads at most ${most}, and no other agent`, async () => {
    const modules = await modulesOf('run', '--agent', 'scripted', '--data', newFolder(), 'hello')
    process.stdout.write(`run "hello" loads ${modules.length} modules of ours\n`)
    expect(modules.length).toBeGreaterThan(100)
    expect(modules.length).toBeLessThanOrEqual(most)
    const isAgents = (file: string) => /^agents\/(?!kit\/|scripted\/)[^/]+\/(?!about\.ts$)/.test(file)
    // The model and the remote agents are described with the help of a table and of the settings' schemas.
    const known = ['agents/model/configured.ts', 'agents/model/providers.ts', 'agents/remote/settings.ts']
    expect(modules.filter(isAgents).toSorted()).toEqual(known)
  })

  it('[O1] "sessions" loads neither an agent nor the code that manages context', async () => {
    const data = newFolder()
    await modulesOf('run', '--data', data, 'hello')
    const modules = await modulesOf('sessions', '--data', data)
    expect(modules.filter(file => /^agents\/[^/]+\/(index|connect|translate)\.ts$/.test(file))).toEqual([])
    expect(modules.filter(file => file.startsWith('context/formats/') && file.includes('anthropic'))).toEqual(
      [],
    )
    expect(modules.length).toBeLessThanOrEqual(most)
  })
})
