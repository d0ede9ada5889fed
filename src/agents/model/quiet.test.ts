import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { openHouse } from '../../sessions/house.fixture.ts'
import { startFakeAnthropic } from '../../testing/fake-anthropic.ts'
import { model } from './index.ts'
import { newFolder } from './harness.fixture.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

it('[A9] the AI SDK writes no warnings to the terminal, and no global of the program is set for that', async () => {
  vi.stubEnv('TEST_MODEL_KEY', 'test-key-0123456789')
  const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const cwd = await newFolder()
  await writeFile(join(cwd, 'p.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
  await using fake = await startFakeAnthropic(({ before }) => ({
    blocks:
      before === 0
        ? [{ type: 'call', call: 't1', name: 'read', input: { path: 'p.png' } }]
        : [{ type: 'text', pieces: ['A dot.'] }],
  }))
  const house = await openHouse([model], { dataFolder: await newFolder() })
  // The SDK warns of a model whose limits it does not know, and of older forms of a file in a result.
  const options = {
    provider: 'anthropic',
    baseUrl: `${fake.url}/v1`,
    keyName: 'TEST_MODEL_KEY',
    model: 'unheard-of',
  }
  const { session } = await house.sessions.execute({ type: 'create', agent: 'model', cwd, options })
  await house.sessions.execute({ type: 'prompt', session, parts: [{ type: 'text', text: 'Look.' }] })
  await house.sessions.whenIdle(session)

  expect(JSON.stringify(fake.requests[1]?.body)).toContain('"media_type":"image/png","data":"iVBORw0KGgo="')
  expect(emitWarning.mock.calls).toEqual([])
  expect(globalThis).not.toHaveProperty('AI_SDK_LOG_WARNINGS')
})
