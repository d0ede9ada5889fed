import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { openHouse } from '../../sessions/house.fixture.ts'
import { startFakeAnthropic } from '../../testing/fake-anthropic.ts'
import { startFakeOpenAiChat } from '../../testing/fake-openai-chat.ts'
import { model } from './index.ts'
import { newFolder } from './harness.fixture.ts'

process.env['TEST_MODEL_KEY'] = 'test-key-0123456789'

type Legacy = { readonly format: 'anthropic' | 'openai-chat' | 'ui'; readonly messages: never[] }

/** Continues an old array; returns what the model was sent. */
async function goOn(
  options: object,
  legacy: Legacy,
  requests: readonly { readonly body: unknown }[],
): Promise<string> {
  const house = await openHouse([model], { dataFolder: await newFolder() })
  await using _ = house.sessions
  const { session } = await house.sessions.execute({
    type: 'create',
    agent: 'model',
    cwd: await newFolder(),
    options: options as never,
    legacy,
  })
  await house.prompt(session, 'go on')
  await house.sessions.whenIdle(session)
  expect((await house.events(session, 'interaction-ended')).at(-1)).toMatchObject({ outcome: 'finished' })
  return JSON.stringify(requests.at(-1)?.body)
}

const chatCall = (path: string): Json => ({
  role: 'assistant',
  content: null,
  tool_calls: [
    { id: 'call_0', type: 'function', function: { name: 'read', arguments: `{"path":"${path}"}` } },
  ],
})
const chat: Json[] = [
  { role: 'system', content: 'ALWAYS ANSWER IN FRENCH' },
  { role: 'user', content: 'hi' },
  chatCall('x'),
  { role: 'tool', tool_call_id: 'call_0', content: 'RESULT-ONE' },
  { role: 'system', content: 'BUT SHORTLY' },
  { role: 'user', content: 'again' },
  chatCall('y'),
  { role: 'tool', tool_call_id: 'call_0', content: 'RESULT-TWO' },
  { role: 'assistant', content: 'done' },
]

describe('a model continues an old array', () => {
  it('[X9] and gets its instructions and every result, with any names of the calls', async () => {
    await using openai = await startFakeOpenAiChat(() => ({ pieces: ['Oui.'] }))
    await using anthropic = await startFakeAnthropic(() => ({ blocks: [{ type: 'text', pieces: ['Oui.'] }] }))
    const legacy: Legacy = { format: 'openai-chat', messages: chat as never[] }
    const local = { provider: 'openai-compatible', baseUrl: openai.url, model: 'small' }
    const remote = {
      provider: 'anthropic',
      baseUrl: `${anthropic.url}/v1`,
      model: 'claude-x',
      keyName: 'TEST_MODEL_KEY',
    }
    const sent = [await goOn(local, legacy, openai.requests), await goOn(remote, legacy, anthropic.requests)]
    for (const body of sent)
      for (const text of ['FRENCH', 'SHORTLY', 'RESULT-ONE', 'RESULT-TWO', 'go on'])
        expect(body).toContain(text)
  })
})
