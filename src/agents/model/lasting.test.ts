import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startFakeAnthropic } from '../../testing/fake-anthropic.ts'
import { startFakeGemini } from '../../testing/fake-gemini.ts'
import { startFakeOpenAiChat } from '../../testing/fake-openai-chat.ts'
import { startFakeOpenAi } from '../../testing/fake-openai-responses.ts'
import { listenOnLoopback } from '../../testing/loopback.ts'
import { asObject, type Fields } from '../kit/fields.ts'
import { wholeBody, type RequestLine } from './request-line.ts'
import { createHarness, endOf, newFolder, outcomesOf, textIn } from './harness.fixture.ts'

const key = 'test-key-0123456789'
process.env['TEST_MODEL_KEY'] = key
const keyName = 'TEST_MODEL_KEY'
const local = (baseUrl: string) => ({ provider: 'openai-compatible', baseUrl, model: 'small', retryMs: 5 })
const anthropic = (url: string) => ({ provider: 'anthropic', baseUrl: `${url}/v1`, keyName, retryMs: 5 })

describe('a model that is stopped', () => {
  it('[A9] interrupt in a text: the partial answer stays, and the next prompt is answered', async () => {
    await using fake = await startFakeOpenAiChat(({ before }) => ({
      pieces: before === 0 ? ['Once upon', { end: 'hang' }] : ['Yes?'],
    }))
    await using harness = await createHarness(local(fake.url))
    const answer = harness.prompt('Tell a story')
    await harness.until('text-delta')
    await harness.connection.interrupt()
    const chunks = await answer
    expect(textIn(chunks)).toBe('Once upon')
    expect(endOf(chunks)).toMatchObject({ reason: 'interrupted', finishReason: 'other' })
    expect(textIn(await harness.prompt('Hello?'))).toBe('Yes?')
  })

  it('[A9] interrupt in a tool: the command and its child processes stop', async () => {
    const command = 'sleep 300 & echo $! > pid; echo started; wait'
    await using fake = await startFakeOpenAiChat(() => ({
      pieces: [{ call: 'c1', name: 'run', input: { command } }],
    }))
    await using harness = await createHarness({ ...local(fake.url), allow: ['run'] })
    const answer = harness.prompt('Wait')
    const pid = await untilFile(join(harness.cwd, 'pid'))
    await harness.connection.interrupt()
    const chunks = await answer
    expect(endOf(chunks)).toMatchObject({ reason: 'interrupted' })
    expect(outcomesOf(chunks)['c1']).toMatch(/^error: Interrupted/)
    await untilGone(Number(pid))
    expect(fake.requests).toHaveLength(1)
  })

  it('[A9] interrupt while a person is asked: nothing runs', async () => {
    await using fake = await startFakeOpenAiChat(() => ({
      pieces: [{ call: 'c1', name: 'run', input: { command: 'touch here' } }],
    }))
    await using harness = await createHarness(local(fake.url))
    const answer = harness.prompt('Touch')
    const { approvalId } = await harness.until('tool-approval-request')
    await harness.connection.interrupt()
    expect(endOf(await answer)).toMatchObject({ reason: 'interrupted' })
    await harness.answer(approvalId, {})
    await expect(readFile(join(harness.cwd, 'here'))).rejects.toThrow('ENOENT')
  })

  it('[A14] closing the connection ends what runs', async () => {
    const command = 'sleep 300 & echo $! > pid; wait'
    await using fake = await startFakeOpenAiChat(() => ({
      pieces: [{ call: 'c1', name: 'run', input: { command } }],
    }))
    const harness = await createHarness({ ...local(fake.url), allow: ['run'] })
    await harness.begin('Wait')
    const pid = await untilFile(join(harness.cwd, 'pid'))
    await harness[Symbol.asyncDispose]()
    await untilGone(Number(pid))
    expect(await harness.connection.exit).toEqual({ code: 0, signal: null, reason: null })
  })

  it('[A9] a step limit ends the answer with a notice', async () => {
    await using fake = await startFakeOpenAiChat(({ before }) => ({
      pieces: [{ call: `c${before}`, name: 'list', input: {} }],
    }))
    await using harness = await createHarness({ ...local(fake.url), steps: 3 })
    const chunks = await harness.prompt('Go on for ever')
    expect(fake.requests).toHaveLength(3)
    expect(endOf(chunks)).toMatchObject({ reason: 'finished', finishReason: 'other' })
    const notice = chunks.find(chunk => chunk.type === 'data-notice')
    expect(notice?.data).toMatchObject({ code: 'step-limit' })
  })
})

describe('a failing service', () => {
  it('[A9] that is overloaded is retried after the wait that it asks for', async () => {
    await using fake = await startFakeAnthropic(({ before }) =>
      before < 2
        ? { status: 529, kind: 'overloaded_error', message: 'Overloaded' }
        : { blocks: [{ type: 'text', pieces: ['At last.'] }] },
    )
    await using harness = await createHarness(anthropic(fake.url))
    const chunks = await harness.prompt('Hi')
    expect(textIn(chunks)).toBe('At last.')
    expect(fake.requests).toHaveLength(3)
    const notices = chunks.flatMap(chunk => (chunk.type === 'data-notice' ? [chunk.data] : []))
    expect(notices.map(({ code }) => code)).toEqual(['retrying', 'retrying'])
    expect(notices[0]?.message).toContain('Overloaded')
  })

  it('[A9] that says when to come back is retried then', async () => {
    const times: number[] = []
    await using fake = await startFakeOpenAiChat(({ before }) => {
      times.push(performance.now())
      if (before > 0) return { pieces: ['Here.'] }
      return { status: 429, body: { error: { message: 'Slow down' } }, headers: { 'retry-after': '0.4' } }
    })
    await using harness = await createHarness(local(fake.url))
    expect(textIn(await harness.prompt('Hi'))).toBe('Here.')
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(390)
  })

  it('[A9] whose stream breaks is retried; the partial answer is retracted, and no tool runs twice', async () => {
    const cwd = await newFolder()
    await using fake = await startFakeAnthropic(({ before }) => ({
      blocks:
        before === 0
          ? [
              { type: 'call', call: 't0', name: 'run', input: { command: 'echo x >> log' } },
              { type: 'text', pieces: ['Half an ans', { wait: 40 }, { end: 'dropped' }] },
            ]
          : before === 1
            ? [{ type: 'call', call: 't1', name: 'run', input: { command: 'echo x >> log' } }]
            : [{ type: 'text', pieces: ['Whole.'] }],
    }))
    await using harness = await createHarness({ ...anthropic(fake.url), allow: ['run'] }, { cwd })
    const chunks = await harness.prompt('Hi')
    expect(await readFile(join(cwd, 'log'), 'utf8')).toBe('x\n')
    const taken = chunks.find(chunk => chunk.type === 'data-retracted')
    expect(taken?.data.ids).toContain('t0')
    expect(taken?.data.ids).toHaveLength(2)
    expect(endOf(chunks)).toMatchObject({ reason: 'finished', finishReason: 'stop' })
  })

  it('[A9] that breaks off with an error in its stream is asked again', async () => {
    await using fake = await startFakeAnthropic(({ before }) => ({
      blocks: [{ type: 'text', pieces: before === 0 ? ['Ha', { end: 'failed' }] : ['Hello'] }],
    }))
    await using harness = await createHarness(anthropic(fake.url))
    const chunks = await harness.prompt('Hi')
    expect(chunks.find(chunk => chunk.type === 'data-retracted')).toBeDefined()
    expect(endOf(chunks)).toMatchObject({ reason: 'finished' })
  })

  it('[A9] whose stream is always cut fails the answer with a clear error', async () => {
    await using fake = await startFakeOpenAiChat(() => ({ pieces: ['Half', { wait: 40 }, { end: 'drop' }] }))
    await using harness = await createHarness({ ...local(fake.url), retries: 1 })
    const chunks = await harness.prompt('Hi')
    expect(fake.requests).toHaveLength(2)
    const message = `The answer from the service at ${fake.url} was cut off.`
    expect(endOf(chunks)).toMatchObject({ reason: 'failed', error: { kind: 'cut-stream', message } })
    expect(textIn(chunks)).toBe('HalfHalf')
  })

  it('[A9] a Gemini stream without its end is a cut one', async () => {
    await using fake = await startFakeGemini(({ before }) => ({ pieces: ['Half'], unfinished: before === 0 }))
    const google = { provider: 'google', baseUrl: `${fake.url}/v1beta`, keyName, retryMs: 5 }
    await using harness = await createHarness(google)
    expect(endOf(await harness.prompt('Hi'))).toMatchObject({ reason: 'finished' })
    expect(fake.requests).toHaveLength(2)
  })

  it('[A9] that falls silent is given up', async () => {
    await using fake = await startFakeOpenAiChat(() => ({ pieces: ['Hm', { end: 'hang' }] }))
    await using harness = await createHarness({ ...local(fake.url), retries: 0, silenceMs: 150 })
    expect(endOf(await harness.prompt('Hi'))).toMatchObject({
      reason: 'failed',
      error: { kind: 'cut-stream' },
    })
  })

  it('[A9] OpenAI fails inside its stream: a clear error, and no retry where none would help', async () => {
    await using fake = await startFakeOpenAi(() => ({
      output: [],
      failed: { code: 'invalid_prompt', message: 'Not like this' },
    }))
    await using harness = await createHarness({ provider: 'openai', baseUrl: fake.url, keyName, retryMs: 5 })
    const chunks = await harness.prompt('Hi')
    expect(endOf(chunks)['error']).toMatchObject({ kind: 'provider-error' })
    expect(JSON.stringify(endOf(chunks)['error'])).toContain('Not like this')
    expect(fake.requests).toHaveLength(1)
  })

  it.each([
    [
      401,
      { type: 'error', error: { type: 'authentication_error', message: `invalid x-api-key ${key}` } },
      'wrong-key',
      /rejected the API key from TEST_MODEL_KEY/,
    ],
    [
      404,
      { type: 'error', error: { type: 'not_found_error', message: 'model: claude-x' } },
      'unknown-model',
      /has no model "claude-sonnet-5"/,
    ],
    [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens' },
      },
      'too-long',
      /too long for/,
    ],
    [
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } },
      'no-credit',
      /payment/,
    ],
    [422, 'what?', 'provider-error', /422/],
  ])(
    '[A9] a refusal with status %i closes the answer at once with a reason',
    async (status, body, kind, sentence) => {
      let count = 0
      await using fake = await listenOnLoopback(async (_, outgoing) => {
        count += 1
        outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
      await using harness = await createHarness(anthropic(fake.url))
      const chunks = await harness.prompt('Hi')
      const { reason, error } = endOf(chunks) as {
        reason?: unknown
        error?: { kind: string; message: string }
      }
      expect(reason).toBe('failed')
      expect(error?.kind).toBe(kind)
      expect(error?.message).toMatch(sentence)
      expect(count).toBe(1)
      expect(chunks.at(-2)).toMatchObject({ type: 'error' })
    },
  )

  it('[A9] that answers with a page instead of a stream is distinguished from one that breaks off', async () => {
    let count = 0
    await using fake = await listenOnLoopback(async (_, outgoing) => {
      count += 1
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome')
    })
    await using harness = await createHarness(local(`${fake.url}/v1`))
    expect(endOf(await harness.prompt('Hi'))).toMatchObject({ error: { kind: 'no-stream' } })
    expect(count).toBe(1)
  })

  it('[R2] that never stops is cut off, and blocks nothing else', async () => {
    const flood = `data: {"choices":[{"delta":{"content":"${'x'.repeat(1 << 20)}"}}]}`
    await using fake = await listenOnLoopback(async (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      while (!outgoing.destroyed)
        if (!outgoing.write(flood))
          await new Promise(resolve => outgoing.once('drain', resolve).once('close', resolve))
    })
    await using harness = await createHarness(local(`${fake.url}/v1`))
    expect(endOf(await harness.prompt('Hi'))).toMatchObject({ error: { kind: 'too-much' } })
  })

  it('[R2] that sends invalid JSON, or unknown events, does not break the answer', async () => {
    await using fake = await listenOnLoopback(async (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write(': hello\n\ndata: {"choices":[{"delta":{"content":"Hi"}}]}\n\n')
      outgoing.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    })
    await using harness = await createHarness(local(`${fake.url}/v1`))
    expect(textIn(await harness.prompt('Hi'))).toBe('Hi')
  })

  it('[A9] an interrupt ends the wait for a retry', async () => {
    await using fake = await startFakeOpenAiChat(() => ({
      status: 429,
      body: { error: { message: 'Slow down' } },
      headers: { 'retry-after': '60' },
    }))
    await using harness = await createHarness(local(fake.url))
    const answer = harness.prompt('Hi')
    await harness.until('data-notice')
    await harness.connection.interrupt()
    expect(endOf(await answer)).toMatchObject({ reason: 'interrupted' })
    expect(fake.requests).toHaveLength(1)
  })

  it('[A9] an endpoint that is down or redirects is reported with its address', async () => {
    const fake = await listenOnLoopback(async () => {})
    await fake[Symbol.asyncDispose]()
    await using harness = await createHarness({ ...local(`${fake.url}/v1`), retries: 1 })
    const { error } = endOf(await harness.prompt('Hi')) as { error?: { message: string } }
    expect(error?.message).toBe(`The service at ${fake.url}/v1 is not running, or the address is wrong.`)
    let receivedKey: string | undefined
    await using elsewhere = await listenOnLoopback(async (incoming, outgoing) => {
      receivedKey = String(incoming.headers['x-api-key'])
      outgoing.writeHead(200).end('{}')
    })
    await using moved = await listenOnLoopback(async (_, outgoing) => {
      outgoing.writeHead(307, { location: `${elsewhere.url}/v1/messages` }).end()
    })
    await using other = await createHarness(anthropic(moved.url))
    expect(endOf(await other.prompt('Hi'))).toMatchObject({ error: { kind: 'moved' } })
    expect(receivedKey).toBeUndefined()
  })
})

describe('what is stored', () => {
  it('[J3] the stream is stored unchanged, and the requests can be restored byte for byte', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'a'), 'A\n'.repeat(50))
    await using fake = await startFakeAnthropic(({ results }) => ({
      blocks:
        results < 3
          ? [{ type: 'call', call: `t${results}`, name: 'read', input: { path: 'a' } }]
          : [{ type: 'text', pieces: ['Done.'] }],
    }))
    await using harness = await createHarness(anthropic(fake.url), { cwd })
    await harness.prompt('Read it three times')
    expect(harness.lines.filter(({ text }) => /^event: \w+\ndata: \{/.test(text)).length).toBeGreaterThan(20)
    const lines = harness.lines
      .filter(({ from, text }) => from === 'host' && text.startsWith('{"dragoman":"request"'))
      .map(({ text }) => JSON.parse(text) as RequestLine)
    expect(lines).toHaveLength(4)
    let before: Fields = {}
    for (const [at, line] of lines.entries()) {
      before = wholeBody(line, before)
      expect(before).toEqual(asObject(fake.requests[at]?.body))
    }
    expect(lines.at(-1)?.same).toEqual(expect.arrayContaining(['tools', 'system', 'model']))
    // The last message of a request has the mark for the cache, so it differs in the next.
    expect(lines.at(-1)?.kept).toBe(4)
  })

  it('[R3] the key is in no line, also when it is repeated', async () => {
    await using fake = await startFakeAnthropic(() => ({
      blocks: [{ type: 'text', pieces: [`Your key is ${key}.`] }],
    }))
    await using harness = await createHarness(anthropic(fake.url))
    const chunks = await harness.prompt(`My key is ${key}`)
    expect(textIn(chunks)).toBe('Your key is [key].')
    expect(JSON.stringify(harness.lines)).not.toContain(key)
  })

  it('[P8] images are sent to the model as images, texts as texts', async () => {
    await using fake = await startFakeAnthropic(() => ({ blocks: [{ type: 'text', pieces: ['Nice.'] }] }))
    await using harness = await createHarness(anthropic(fake.url))
    const picture = 'iVBORw0KGgo='
    await harness.prompt([
      { type: 'text', text: 'What is this?' },
      { type: 'file', url: `data:image/png;base64,${picture}`, mediaType: 'image/png' },
      { type: 'file', url: 'data:text/csv;base64,YSxi', mediaType: 'text/csv', filename: 'x.csv' },
    ])
    const messages = fake.requests[0]?.body['messages'] ?? []
    const [message] = messages as { content: Record<string, unknown>[] }[]
    expect(message?.content[1]).toMatchObject({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: picture },
    })
    expect(message?.content[2]).toMatchObject({ type: 'text', text: 'x.csv:\na,b' })
  })

  it('[P8] an image that a tool reads goes to the model as an image', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'p.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
    await using fake = await startFakeAnthropic(({ results }) => ({
      blocks:
        results === 0
          ? [{ type: 'call', call: 't1', name: 'read', input: { path: 'p.png' } }]
          : [{ type: 'text', pieces: ['A dot.'] }],
    }))
    await using harness = await createHarness(anthropic(fake.url), { cwd })
    await harness.prompt('Look')
    expect(JSON.stringify(fake.requests[1]?.body)).toContain('"media_type":"image/png"')
  })
})

async function untilFile(path: string): Promise<string> {
  const read = async () => (await readFile(path, 'utf8')).trim()
  await expect.poll(read).not.toBe('')
  return read()
}

async function untilGone(pid: number): Promise<void> {
  const stat = () => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  await expect.poll(stat).toMatch(/^$|\) Z /)
}
