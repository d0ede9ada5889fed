import { describe, expect, it } from 'vitest'
import type { Json } from '../protocol/json.ts'
import { startFakeAnthropic, startFakeGemini, startFakeOpenAi, startFakeOpenAiChat } from './index.ts'

const post = (url: string, body: Json) => fetch(url, { method: 'POST', body: JSON.stringify(body) })

/** The events of a stream, parsed. */
async function eventsOf(response: Response): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const lines = (await response.text()).split(/\r?\n/).filter(line => line.startsWith('data: {'))
  return lines.map(line => JSON.parse(line.slice(6)) as Readonly<Record<string, unknown>>)
}

describe('fakes of models', () => {
  it('[A11] Anthropic: text, thoughts and calls stream as in its API', async () => {
    await using model = await startFakeAnthropic(({ results }) => ({
      blocks: [
        { type: 'thinking', pieces: ['Hm.'] },
        { type: 'text', pieces: [`${results} `, 'results'] },
        { type: 'call', call: 'toolu_1', name: 'Read', input: { file: 'a' } },
      ],
    }))
    const asked = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    const events = await eventsOf(await post(`${model.url}/v1/messages`, asked))
    expect(events[0]?.['type']).toBe('message_start')
    expect(events.at(-1)?.['type']).toBe('message_stop')
    expect(JSON.stringify(events)).toMatch(/thinking_delta.*0 .*results.*input_json_delta.*tool_use/s)
    expect(model.requests).toHaveLength(1)
  })

  it('[A11] OpenAI Responses: items begin, stream and complete', async () => {
    await using model = await startFakeOpenAi(() => ({
      output: [{ type: 'message', text: ['Good ', 'day.'] }],
    }))
    const events = await eventsOf(
      await post(`${model.url}/responses`, { model: 'm', stream: true, input: [] }),
    )
    expect(events[0]?.['type']).toBe('response.created')
    expect(events.at(-1)?.['type']).toBe('response.completed')
    expect(JSON.stringify(events)).toContain('Good day.')
  })

  it('[A11] OpenAI chat: text, thoughts and calls in parts, then the stop reason and the usage', async () => {
    await using model = await startFakeOpenAiChat(() => ({
      pieces: [
        { thought: 'Hm.' },
        'Good ',
        'day.',
        { call: 'c1', name: 'read', input: { file: 'a long name' } },
      ],
    }))
    const response = await post(`${model.url}/chat/completions`, { model: 'm', stream: true, messages: [] })
    const events = await eventsOf(response)
    const choices = events.flatMap(
      ({ choices: each }) => each as { delta: Readonly<Record<string, unknown>> & { content?: string } }[],
    )
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('Good day.')
    expect(JSON.stringify(choices)).toMatch(/reasoning_content.*"name":"read".*tool_calls/s)
    const calls = choices.flatMap(
      ({ delta }) => (delta['tool_calls'] ?? []) as { function: { arguments: string } }[],
    )
    expect(JSON.parse(calls.map(call => call.function.arguments).join(''))).toEqual({ file: 'a long name' })
    expect(events.at(-1)).toMatchObject({ usage: { total_tokens: 150 } })
  })

  it('[A11] Gemini: parts stream, and the last has the stop reason', async () => {
    await using model = await startFakeGemini(() => ({
      pieces: [{ thought: 'Hm.' }, 'Hello', { call: 'read_file', args: { a: 1 } }],
    }))
    const url = `${model.url}/v1beta/models/gemini:streamGenerateContent?alt=sse`
    const events = await eventsOf(await post(url, { contents: [] }))
    expect(JSON.stringify(events)).toMatch(/"thought":true.*Hello.*functionCall.*STOP/s)
  })

  it('[A11] each can refuse, break off, and answer unknown paths', async () => {
    const refuse = () => ({ status: 429, body: { error: { message: 'Later.' } } })
    await using chat = await startFakeOpenAiChat(refuse)
    await using responses = await startFakeOpenAi(refuse)
    await using gemini = await startFakeGemini(refuse)
    await using anthropic = await startFakeAnthropic(() => ({
      status: 429,
      kind: 'rate_limit_error',
      message: 'Later.',
    }))
    const urls = [
      `${chat.url}/chat/completions`,
      `${responses.url}/responses`,
      `${gemini.url}/v1beta/models/m:streamGenerateContent`,
      `${anthropic.url}/v1/messages`,
    ]
    for (const url of urls) expect((await post(url, { messages: [] })).status).toBe(429)
    for (const url of urls) expect((await fetch(`${new URL(url).origin}/none`)).status).toBe(404)
    await using broken = await startFakeOpenAiChat(() => ({
      pieces: ['Half', { wait: 100 }, { end: 'drop' }],
    }))
    const half = await post(`${broken.url}/chat/completions`, {})
    await expect(half.text()).rejects.toThrow()
  })
})
