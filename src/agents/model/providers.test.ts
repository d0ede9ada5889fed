import { describe, expect, it } from 'vitest'
import { startFakeAnthropic } from '../../testing/fake-anthropic.ts'
import { startFakeGemini } from '../../testing/fake-gemini.ts'
import { startFakeOpenAiChat } from '../../testing/fake-openai-chat.ts'
import { startFakeOpenAi } from '../../testing/fake-openai-responses.ts'
import { createHarness, endOf, textIn } from './harness.fixture.ts'

process.env['TEST_MODEL_KEY'] = 'test-key-0123456789'
const keyName = 'TEST_MODEL_KEY'

describe('a model', () => {
  it('[A9] of Anthropic streams thinking and text, and reports usage', async () => {
    await using fake = await startFakeAnthropic(() => ({
      blocks: [
        { type: 'thinking', pieces: ['Let me ', 'see.'] },
        { type: 'text', pieces: ['Hello ', 'you.'] },
      ],
    }))
    await using harness = await createHarness({
      provider: 'anthropic',
      baseUrl: `${fake.url}/v1`,
      keyName,
      model: 'claude-sonnet-4-5',
    })
    const chunks = await harness.prompt('Hi')
    expect(textIn(chunks, 'reasoning-delta')).toBe('Let me see.')
    expect(textIn(chunks)).toBe('Hello you.')
    expect(endOf(chunks)).toMatchObject({ reason: 'finished', finishReason: 'stop' })
    const tokens = { input: 1000, output: 20, cacheRead: 7, cacheWrite: 3 }
    expect(endOf(chunks)['tokens']).toEqual(tokens)
    expect(endOf(chunks)['cost']).toBeCloseTo((1000 * 3 + 20 * 15 + 7 * 0.3 + 3 * 3.75) / 1e6, 10)
    const [request] = fake.requests
    expect(request?.body['model']).toBe('claude-sonnet-4-5')
    expect(JSON.stringify(request?.body['system'])).toContain('coding agent')
  })

  it('[A9] of OpenAI streams thinking and text', async () => {
    await using fake = await startFakeOpenAi(() => ({
      output: [
        { type: 'reasoning', summary: [['Let me ', 'see.']] },
        { type: 'message', text: ['Hello ', 'you.'] },
      ],
    }))
    await using harness = await createHarness({
      provider: 'openai',
      baseUrl: fake.url,
      keyName,
      model: 'gpt-5',
    })
    const chunks = await harness.prompt('Hi')
    expect(textIn(chunks, 'reasoning-delta')).toBe('Let me see.')
    expect(textIn(chunks)).toBe('Hello you.')
    expect(endOf(chunks)).toMatchObject({ reason: 'finished', finishReason: 'stop' })
    expect(endOf(chunks)['tokens']).toEqual({ input: 100, output: 30, cacheRead: 20, cacheWrite: 0 })
    expect(fake.requests[0]?.body['store']).toBe(false)
  })

  it('[A9] of Google streams thinking and text', async () => {
    await using fake = await startFakeGemini(() => ({
      pieces: [{ thought: 'Let me see.' }, 'Hello ', 'you.'],
    }))
    await using harness = await createHarness({
      provider: 'google',
      baseUrl: `${fake.url}/v1beta`,
      keyName,
      model: 'gemini-2.5-flash',
    })
    const chunks = await harness.prompt('Hi')
    expect(textIn(chunks, 'reasoning-delta')).toBe('Let me see.')
    expect(textIn(chunks)).toBe('Hello you.')
    expect(endOf(chunks)).toMatchObject({ reason: 'finished', finishReason: 'stop' })
    expect(endOf(chunks)['tokens']).toEqual({ input: 900, output: 15, cacheRead: 100, cacheWrite: 0 })
  })

  it('[A9] on this machine needs no key, and configured prices are used', async () => {
    await using fake = await startFakeOpenAiChat(() => ({
      pieces: [{ thought: 'Let me see.' }, 'Hello ', 'you.'],
    }))
    const prices = { input: 1, output: 2 }
    await using harness = await createHarness({
      provider: 'openai-compatible',
      baseUrl: fake.url,
      model: 'small',
      prices,
    })
    const chunks = await harness.prompt('Hi')
    expect(textIn(chunks, 'reasoning-delta')).toBe('Let me see.')
    expect(textIn(chunks)).toBe('Hello you.')
    expect(endOf(chunks)).toMatchObject({ reason: 'finished', finishReason: 'stop' })
    expect(endOf(chunks)['tokens']).toEqual({ input: 100, output: 30, cacheRead: 20, cacheWrite: 0 })
    expect(endOf(chunks)['cost']).toBeCloseTo((100 + 30 * 2 + 20) / 1e6, 10)
  })

  it('[R4] a long answer is complete, and paced by its reader', async () => {
    const pieces = Array.from({ length: 3_000 }, (_, at) => `${at} ${'x'.repeat(1_000)}\n`)
    await using fake = await startFakeOpenAiChat(() => ({ pieces }))
    await using harness = await createHarness({
      provider: 'openai-compatible',
      baseUrl: fake.url,
      model: 'm',
    })
    const chunks = await harness.prompt('Go on')
    expect(textIn(chunks)).toBe(pieces.join(''))
  })
})
