import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Raw } from '../../protocol/event.ts'
import { RpcRefusal, speakJsonRpc, type Answerer, type JsonRpc } from './json-rpc.ts'
import { openLineChannel, type LineChannel } from './line-channel.ts'

/** An agent that answers each request by its method. */
const agent = `
const write = message => process.stdout.write(JSON.stringify(message) + '\\n')
const answers = {
  echo: ({ id, params }) => {
    write({ jsonrpc: '2.0', id, result: params })
    if (late !== undefined) write({ id: late, result: 'later' })
    late = undefined
  },
  twice: ({ id }) => { write({ method: 'first' }); write({ id, result: 1 }); write({ id, result: 2 }) },
  later: ({ id }) => { late = id },
  refuse: ({ id }) => write({ id, error: { code: -1, message: 'I will not' } }),
  never: () => {},
  die: () => process.stdout.write('', () => process.exit(5)),
  flood: ({ params }) => {
    for (let at = 0; at < 300; at++) {
      write({ method: 'noise', params: 'x'.repeat(20000) })
      require('node:fs').appendFileSync(params, '.')
    }
  },
  ask: ({ id, params }) => { write({ id: 'q1', method: params, params: { n: 1 } }); asked = id },
}
let asked, late
const handle = line => {
  const message = JSON.parse(line)
  if (message.method) answers[message.method]?.(message)
  else write({ id: asked, result: message })
}
let rest = ''
process.stdin.setEncoding('utf8').on('data', text => {
  const lines = (rest + text).split('\\n')
  rest = lines.pop()
  lines.forEach(handle)
})`

interface Setting {
  readonly rpc: JsonRpc
  readonly sent: string[]
}

async function newChannel(record: (raw: Raw) => Promise<void>): Promise<LineChannel> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dragoman-rpc-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const channel = openLineChannel({
    command: process.execPath,
    args: ['-e', agent],
    cwd: tmpdir(),
    dataFolder,
    record,
    signal: new AbortController().signal,
    grace: 300,
  })
  onTestFinished(() => channel[Symbol.asyncDispose]())
  return channel
}

async function setting(answer: Answerer = () => undefined): Promise<Setting> {
  const sent: string[] = []
  const channel = await newChannel(raw => Promise.resolve(void sent.push(raw.raw)))
  return { rpc: speakJsonRpc(channel, answer), sent }
}

async function rawsOf(messages: AsyncIterable<Raw>): Promise<readonly string[]> {
  const list: string[] = []
  for await (const { raw } of messages) list.push(raw)
  return list
}

/** Lets the agent write more than is read ahead, until the limit is reached. */
async function flood(rpc: JsonRpc): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-flood-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const progress = join(folder, 'progress')
  await rpc.notify('flood', progress)
  await expect.poll(async () => (await readFile(progress, 'utf8')).length).toBeGreaterThan(45)
}

describe('JSON-RPC', () => {
  it('[A1] matches responses to requests, also before the lines are read', async () => {
    const { rpc, sent } = await setting()
    const answers = await Promise.all([
      rpc.request('later', null),
      rpc.request('echo', { a: '\u2028' }),
      rpc.request('twice', []),
    ])
    expect(answers).toEqual(['later', { a: '\u2028' }, 1])
    await rpc.notify('die', null)
    expect(sent.map(line => (JSON.parse(line) as { method: string }).method)).toEqual([
      'later',
      'echo',
      'twice',
      'die',
    ])
    const lines = await rawsOf(rpc.messages)
    expect(lines).toHaveLength(5)
    expect(lines).toContain('{"method":"first"}')
    expect(await rpc.exit).toMatchObject({ code: 5 })
  })

  it('[R2] rejects when the agent refuses, ends, or takes too long', async () => {
    const { rpc } = await setting()
    await expect(rpc.request('refuse', null)).rejects.toMatchObject({
      code: 'agent-unavailable',
      message: 'The agent refused "refuse": I will not',
    })
    await expect(rpc.request('never', null, AbortSignal.timeout(50))).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    const never = rpc.request('never', null)
    await rpc.notify('die', null)
    await expect(never).rejects.toMatchObject({ message: 'The agent ended before it answered "never".' })
    await expect(rpc.request('echo', 1)).rejects.toMatchObject({ code: 'agent-unavailable' })
  })

  it('[A1] sends a request without waiting for its response, and reports each line at once', async () => {
    const lines: string[] = []
    const channel = await newChannel(() => Promise.resolve())
    const onLine = ({ raw }: Raw) => void lines.push(raw)
    const rpc = speakJsonRpc(channel, () => undefined, onLine)
    const { answer } = await rpc.begin('later', null)
    expect(lines).toEqual([])
    await rpc.request('echo', null)
    expect(await answer).toBe('later')
    expect(lines).toHaveLength(2)
    const lost = await rpc.begin('never', null)
    await rpc.notify('die', null)
    await expect(lost.answer).rejects.toMatchObject({ code: 'agent-unavailable' })
    await expect(rpc.begin('echo', 1)).rejects.toMatchObject({ code: 'agent-unavailable' })
  })

  it('[A1] refuses with the code of the refusal', async () => {
    const { rpc } = await setting(() => {
      throw new RpcRefusal(-32002, 'Not there.')
    })
    expect(await rpc.request('ask', 'file')).toMatchObject({ error: { code: -32002, message: 'Not there.' } })
  })

  it('[A1] answers the requests of the agent, refuses unknown methods, and reports failures', async () => {
    const { rpc } = await setting(({ method, params }) => {
      if (method === 'sum') return Promise.resolve({ got: params })
      if (method === 'fail') return Promise.reject(new Error('out of luck'))
      return undefined
    })
    expect(await rpc.request('ask', 'sum')).toEqual({ jsonrpc: '2.0', id: 'q1', result: { got: { n: 1 } } })
    expect(await rpc.request('ask', 'other')).toMatchObject({ id: 'q1', error: { code: -32601 } })
    expect(await rpc.request('ask', 'fail')).toMatchObject({
      error: { code: -32603, message: 'out of luck' },
    })
  })

  it('[R4] reads ahead only a little, loses nothing, and still rejects when the agent ends', async () => {
    const { rpc } = await setting()
    await flood(rpc)
    const never = rpc.request('never', null)
    const ends = expect(never).rejects.toMatchObject({ code: 'agent-unavailable' })
    const lines = rawsOf(rpc.messages)
    await rpc.notify('die', null)
    expect((await lines).filter(line => line.includes('noise'))).toHaveLength(300)
    await ends
  })
})

describe('JSON-RPC without a reader', () => {
  it('[R4] rejects pending requests when the agent ends, even if its lines are not read', async () => {
    const { rpc } = await setting()
    await flood(rpc)
    const ends = expect(rpc.request('never', null)).rejects.toMatchObject({ code: 'agent-unavailable' })
    await rpc[Symbol.asyncDispose]()
    await ends
  })
})

describe('line channel', () => {
  it('[J1] sends a line only after it is recorded, in order, and not at all if recording failed', async () => {
    const recorded: string[] = []
    const rounds = [60, 10, 0]
    const channel = await newChannel(async ({ raw }) => {
      for (let left = rounds.shift() ?? 0; left > 0; left -= 1) await setImmediate()
      if (raw.includes('lost')) throw new Error('disk full')
      recorded.push(raw)
    })
    const line = (params: string) => JSON.stringify({ id: 1, method: 'echo', params })
    const sends = ['a', 'lost', 'b'].map(params => channel.send(line(params)))
    const outcomes = await Promise.allSettled(sends)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(recorded).toEqual([line('a'), line('b')])
    await channel.send(JSON.stringify({ method: 'die' }))
    const results = (await rawsOf(channel.messages)).map(
      raw => (JSON.parse(raw) as { result: string }).result,
    )
    expect(results).toEqual(['a', 'b'])
  })
})
