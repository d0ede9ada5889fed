import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { openHouse } from '../../sessions/house.fixture.ts'
import { startFakeAnthropic } from '../../testing/fake-anthropic.ts'
import { startFakeGemini } from '../../testing/fake-gemini.ts'
import { startFakeOpenAiChat } from '../../testing/fake-openai-chat.ts'
import { listenOnLoopback } from '../../testing/loopback.ts'
import { model } from './index.ts'
import { createHarness, endOf, newFolder, outcomesOf, textIn } from './harness.fixture.ts'

process.env['TEST_MODEL_KEY'] = 'test-key-0123456789'
const keyName = 'TEST_MODEL_KEY'
const anthropic = (url: string) => ({ provider: 'anthropic', baseUrl: `${url}/v1`, keyName, retries: 0 })
const google = (url: string) => ({ provider: 'google', baseUrl: `${url}/v1beta`, keyName })
const local = (baseUrl: string) => ({ provider: 'openai-compatible', baseUrl, model: 'small' })

/** A session of a model, as the journal makes it. */
async function openSession(options: Json, cwd?: string) {
  const house = await openHouse([model], { dataFolder: await newFolder() })
  const folder = cwd ?? (await newFolder())
  const create = { type: 'create', agent: 'model', cwd: folder, options: options as never } as const
  const { session } = await house.sessions.execute(create)
  const prompt = async (parts: readonly PromptPart[]) => {
    await house.sessions.execute({ type: 'prompt', session, parts: [...parts] })
    await house.sessions.whenIdle(session)
  }
  return { house, session, prompt, ask: (text: string) => prompt([{ type: 'text', text }]) }
}

async function deleteFirst({ house, session }: Awaited<ReturnType<typeof openSession>>): Promise<void> {
  const { messages } = await house.sessions.messages(session, { thread: null, limit: 10 })
  const message = messages[0]?.message.id ?? ''
  await house.sessions.execute({ type: 'manipulate', session, changes: [{ do: 'delete', message }] } as never)
}

interface SentMessage {
  readonly role: string
  readonly content: readonly Record<string, unknown>[]
}
const messagesIn = (request: { readonly body: Readonly<Record<string, Json>> } | undefined) =>
  (request?.body['messages'] ?? []) as unknown as readonly SentMessage[]

/** A model that sends only white space before it calls a tool. */
const startBlank = () =>
  startFakeAnthropic(({ before }) => ({
    blocks:
      before === 0
        ? [
            { type: 'text', pieces: ['\n\n'] },
            { type: 'call', call: 'toolu_1', name: 'list', input: {} },
          ]
        : [{ type: 'text', pieces: ['Done.'] }],
  }))

describe('requests follow the rules of the provider', () => {
  it('[X6] Anthropic: the first message is the user’s, even when the first message was deleted', async () => {
    await using fake = await startFakeAnthropic(({ before }) => ({
      blocks:
        before === 0
          ? [{ type: 'call', call: 'toolu_1', name: 'list', input: {} }]
          : [{ type: 'text', pieces: ['Done.'] }],
    }))
    const played = await openSession(anthropic(fake.url))
    await played.ask('Look')
    await deleteFirst(played)
    await played.ask('More')
    expect(messagesIn(fake.requests[2]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(JSON.stringify(messagesIn(fake.requests[2]))).not.toContain('Look')
  })

  it('[X6] Gemini: the first message is the user’s, even when the first message was deleted', async () => {
    await using fake = await startFakeGemini(({ before }) => ({
      pieces: before === 0 ? [{ call: 'list', args: {} }] : ['Done.'],
    }))
    const played = await openSession(google(fake.url))
    await played.ask('Look')
    await deleteFirst(played)
    await played.ask('More')
    const contents = fake.requests[2]?.body['contents'] as unknown as readonly { readonly role: string }[]
    expect(contents[0]?.role).toBe('user')
    expect(contents[1]?.role).toBe('model')
  })

  it('[X6] Anthropic: a text of only white space is not sent back', async () => {
    await using fake = await startBlank()
    const played = await openSession(anthropic(fake.url))
    await played.ask('Look')
    const second = messagesIn(fake.requests[1])
    expect(second[1]?.content.map(({ type }) => type)).toEqual(['tool_use'])
    // A blank prompt is still sent.
    await played.ask(' ')
    expect(messagesIn(fake.requests[2]).at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'text', text: '(This message has no words.)' }],
    })
  })

  it('[X6] Anthropic: nor without a journal, as for a subagent', async () => {
    await using fake = await startBlank()
    await using harness = await createHarness(anthropic(fake.url))
    await harness.prompt('Hello')
    expect(messagesIn(fake.requests[1])[1]?.content.map(({ type }) => type)).toEqual(['tool_use'])
  })
})

describe('files', () => {
  it('[P8] chat completions: an image that a tool reads is shown after the results, never as text', async () => {
    const cwd = await newFolder()
    const picture = Buffer.concat([Buffer.from('iVBORw0KGgo=', 'base64'), Buffer.alloc(30_000, 7)])
    await writeFile(join(cwd, 'p.png'), picture)
    await using fake = await startFakeOpenAiChat(({ before }) => ({
      pieces: before === 0 ? [{ call: 'c1', name: 'read', input: { path: 'p.png' } }] : ['A dot.'],
    }))
    const played = await openSession(local(fake.url), cwd)
    await played.ask('Look')
    const after = messagesIn(fake.requests[1]).slice(-2)
    expect(after.map(({ role }) => role)).toEqual(['tool', 'user'])
    expect(JSON.stringify(after[0]?.content)).toContain('[Here is a picture.')
    expect(after[1]?.content[1]).toMatchObject({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${picture.toString('base64')}` },
    })
    // The same without a journal.
    await using plain = await startFakeOpenAiChat(({ before }) => ({
      pieces: before === 0 ? [{ call: 'c1', name: 'read', input: { path: 'p.png' } }] : ['A dot.'],
    }))
    await using harness = await createHarness(local(plain.url), { cwd })
    await harness.prompt('Look')
    expect(JSON.stringify(messagesIn(plain.requests[1]).slice(-2))).toBe(JSON.stringify(after))
  })

  it('[P8] chat completions: a model without image support gets a text in place of an image', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'p.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
    await using fake = await startFakeOpenAiChat(({ before }) => ({
      pieces: before === 0 ? [{ call: 'c1', name: 'read', input: { path: 'p.png' } }] : ['A dot.'],
    }))
    const played = await openSession({ ...local(fake.url), pictures: false }, cwd)
    await played.prompt([{ type: 'file', url: 'data:image/png;base64,iVBORw0KGgo=', mediaType: 'image/png' }])
    const text = JSON.stringify(messagesIn(fake.requests[1]))
    expect(text.split('[Here is a file (image/png) that cannot be shown to you.]')).toHaveLength(3)
    expect(text).not.toContain('iVBORw0KGgo')
  })

  it('[P8] chat completions: only the newest images are shown, up to a limit', async () => {
    const cwd = await newFolder()
    for (const name of ['a', 'b', 'c', 'd'])
      await writeFile(join(cwd, `${name}.png`), Buffer.alloc(4_000_000, name))
    const calls = ['a', 'b', 'c', 'd'].map(name => ({
      call: name,
      name: 'read',
      input: { path: `${name}.png` },
    }))
    await using fake = await startFakeOpenAiChat(({ before }) => ({
      pieces: before === 0 ? calls : ['Dots.'],
    }))
    const played = await openSession(local(fake.url), cwd)
    await played.ask('Look')
    const after = messagesIn(fake.requests[1])
    expect(after.at(-1)?.content).toHaveLength(4)
    expect(JSON.stringify(after[3]?.content)).toContain('cannot be shown')
    expect(JSON.stringify(after).length).toBeLessThan(17 * 1024 * 1024)
  })

  const texts = [
    'data:text/plain;charset=utf-8;base64,RE9DIFRFWFQ=',
    'data:text/plain,DOC%20TEXT',
    'data:text/plain;base64,RE9DIFRFWFQ%3D',
    'data:,DOC TEXT',
  ]

  it.each(texts)('[P8] %s reaches the model with its declared type', async url => {
    await using fake = await startFakeOpenAiChat(() => ({ pieces: ['Read.'] }))
    const parts = [{ type: 'file', url, mediaType: 'text/plain', filename: 'a.txt' }] as const
    const played = await openSession(local(fake.url))
    await played.prompt(parts)
    await using harness = await createHarness(local(fake.url))
    await harness.prompt(parts)
    for (const request of fake.requests)
      expect(JSON.stringify(messagesIn(request).at(-1)?.content)).toContain(String.raw`a.txt:\nDOC TEXT`)
  })

  it('[P8] an image whose address has parameters reaches Anthropic and Gemini', async () => {
    const picture = 'iVBORw0KGgo='
    const url = `data:image/png;name=a.png;base64,${picture}`
    const parts = [{ type: 'file', url, mediaType: 'image/png' }] as const
    await using one = await startFakeAnthropic(() => ({ blocks: [{ type: 'text', pieces: ['Nice.'] }] }))
    await using two = await startFakeGemini(() => ({ pieces: ['Nice.'] }))
    await (await openSession(anthropic(one.url))).prompt(parts)
    await (await openSession(google(two.url))).prompt(parts)
    expect(JSON.stringify(one.requests[0]?.body)).toContain(`"media_type":"image/png","data":"${picture}"`)
    expect(JSON.stringify(two.requests[0]?.body)).toContain(`"data":"${picture}"`)
    expect(JSON.stringify(two.requests[0]?.body)).not.toContain('fileUri')
  })
})

/** A service that streams the same events to everyone. */
const streams = (events: readonly string[]) =>
  listenOnLoopback(async (_, outgoing: ServerResponse) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    outgoing.end(events.map(event => `data: ${event}\n\n`).join(''))
  })

const usage = { input_tokens: 1, output_tokens: 1 }
const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage }
const begin = { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } }
const textBlock = (index: number, text: string) => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index },
]
const end = [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
  { type: 'message_stop' },
]
const strange: readonly (readonly [string, readonly Json[]])[] = [
  ['an event', [{ type: 'weather', sky: 'blue' }]],
  [
    'a block',
    [
      { type: 'content_block_start', index: 1, content_block: { type: 'hologram' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'shimmer' } },
      { type: 'content_block_stop', index: 1 },
    ],
  ],
  [
    'a delta',
    [
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'smell_delta', smell: 'rose' } },
      { type: 'content_block_stop', index: 1 },
    ],
  ],
]

describe('events that the SDK does not know', () => {
  it.each(strange)('[A9] %s of a new kind does not end the answer', async (_, events) => {
    const all = [begin, ...textBlock(0, 'Hello.'), ...events, ...textBlock(2, 'Bye.'), ...end]
    await using service = await streams(all.map(event => JSON.stringify(event)))
    await using harness = await createHarness(anthropic(service.url))
    const chunks = await harness.prompt('Hi')
    expect(endOf(chunks)).toMatchObject({ reason: 'finished', finishReason: 'stop' })
    expect(textIn(chunks)).toContain('Hello.')
    expect(textIn(chunks)).toContain('Bye.')
  })

  const recording = join(
    import.meta.dirname,
    '../../../../shared/recordings/model-apis/responses-compatible/xai-web-search-tool.1.chunks.txt',
  )
  it.skipIf(!existsSync(recording))('[A9] a recorded answer of another service is finished', async () => {
    const events = readFileSync(recording, 'utf8').split('\n')
    await using service = await streams(events.filter(line => line.trim() !== ''))
    const options = { provider: 'openai', baseUrl: service.url, keyName, retries: 0 }
    await using harness = await createHarness(options)
    const chunks = await harness.prompt('Hi')
    expect(endOf(chunks)).toMatchObject({ reason: 'finished' })
    expect(textIn(chunks)).not.toBe('')
  })

  it('[A9] a result goes to the call of its id, with other events between', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'a'), 'AAA')
    await writeFile(join(folder, 'b'), 'BBB')
    const call = (index: number, id: string, path: string, more: object = {}) => [
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id, name: 'read', input: {}, ...more },
      },
      {
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: `{"path":"${path}"}` },
      },
      { type: 'content_block_stop', index },
    ]
    const stop = [
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
    // The SDK does not accept the first: its caller is of a kind that it does not know.
    const strangeCall = call(0, 't0', 'a', { caller: { type: 'nobody' } })
    const first = [begin, ...strangeCall, ...call(1, 't1', 'a'), ...call(2, 't2', 'b'), ...stop]
    let asked = 0
    await using service = await listenOnLoopback(async (_, outgoing) => {
      const events = (asked += 1) === 1 ? first : [begin, ...textBlock(0, 'Done.'), ...end]
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.end(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''))
    })
    await using harness = await createHarness(anthropic(service.url), { cwd: folder })
    const chunks = await harness.prompt('Hi')
    expect(outcomesOf(chunks)).toMatchObject({ t1: 'AAA', t2: 'BBB' })
  })
})

describe('how an answer ended', () => {
  it('[A9] an event that is not JSON: the error message says so', async () => {
    await using service = await streams([
      JSON.stringify(begin),
      '{"type":',
      ...end.map(each => JSON.stringify(each)),
    ])
    await using harness = await createHarness(anthropic(service.url))
    const error = endOf(await harness.prompt('Hi'))['error']
    expect(error).toMatchObject({ kind: 'unreadable' })
    expect(JSON.stringify(error)).toContain('Anthropic sent a reply that cannot be read')
  })

  it.each([
    ['length', 'length', 'Half an answer'],
    ['content_filter', 'content-filter', 'Half an answer'],
    ['stop', 'empty-answer', '\n'],
  ])('[A9] %s: a notice says %s', async (finishReason, code, text) => {
    await using fake = await startFakeOpenAiChat(() => ({ pieces: [text], finishReason }))
    await using harness = await createHarness(local(fake.url))
    const chunks = await harness.prompt('Hi')
    const notices = chunks.flatMap(chunk => (chunk.type === 'data-notice' ? [chunk.data.code] : []))
    expect(notices).toEqual([code])
  })
})
