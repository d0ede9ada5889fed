import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Chunk, ThreadChunk } from '../../protocol/chunk.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { demoSteps } from './demo.ts'
import { ask, connect, follow, newFolder, prompt, textOf } from './follow.fixture.ts'
import { scripted } from './index.ts'

const typesOf = (chunks: readonly Chunk[]) => new Set(chunks.map(({ type }) => type))

describe('the demo', () => {
  it('[A11] shows everything, in upper or lower case, and finishes', async () => {
    const chunks = await ask('Please SHOW me EVERYTHING!', { answer: { input: 'blue' } })
    for (const type of [
      'reasoning-delta',
      'tool-output-available',
      'tool-output-error',
      'tool-approval-request',
      'data-subagent',
      'file',
      'data-todos',
      'data-retracted',
      'data-usage',
    ] as const)
      expect(typesOf(chunks)).toContain(type)
    expect(chunks.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: 'stop',
      messageMetadata: { reason: 'finished', cost: expect.any(Number) as number },
    })
  })

  it('[A11] keeps the pauses of its script unless another pace is set', async () => {
    const script = [{ type: 'text', text: 'Well.', delay: 500 }]
    const started = performance.now()
    await ask('go', {}, { script })
    expect(performance.now() - started).toBeGreaterThan(500)
  })

  it('[P7] an error ends the answer, and the next prompt is answered', async () => {
    const connection = await connect({ pace: 0 })
    await prompt(connection, 'an error')
    await prompt(connection, 'hello')
    const chunks = await follow(connection, { answers: 2 })
    expect(chunks.filter(({ type }) => type === 'finish')).toMatchObject([
      { finishReason: 'error', messageMetadata: { error: { kind: 'overloaded' } } },
      { finishReason: 'stop' },
    ])
  })

  it('[A14] a crash is an exit with code 1, the end of its log, and an interrupted answer', async () => {
    const connection = await connect({ pace: 0 })
    await prompt(connection, 'a crash')
    const chunks = await follow(connection)
    expect(textOf(chunks)).toContain('I am about to')
    expect(typesOf(chunks)).not.toContain('finish')
    expect(await connection.exit).toMatchObject({
      code: 1,
      reason: expect.stringContaining('crash') as string,
    })
  })
})

describe('interrupt', () => {
  it('[A1] ends a hang at once, and the agent stays', async () => {
    const connection = await connect({ pace: 0 })
    await prompt(connection, 'a hang')
    const chunks = await follow(connection, {
      onChunk: chunk => (chunk.type === 'text-start' ? connection.interrupt() : undefined),
    })
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'other', messageMetadata: { reason: 'interrupted' } })
  })

  it('[A1] ends a long answer and a pending approval; it does nothing to an idle agent', async () => {
    const connection = await connect({ pace: 1 })
    await connection.interrupt()
    await prompt(connection, 'a long answer')
    await prompt(connection, 'an approval')
    await prompt(connection, 'an image')
    let deltas = 0
    const stop: ThreadChunk[] = []
    let state = scripted.initial('c' as ConnectionId)
    for await (const { raw } of connection.messages) {
      const [next, chunks] = scripted.translate(state, { from: 'agent', text: raw })
      state = next
      for (const each of chunks) {
        if (each.chunk.type === 'text-delta' && (deltas += 1) === 5) await connection.interrupt()
        if (each.chunk.type === 'tool-approval-request') await connection.interrupt()
        if (each.chunk.type === 'finish') stop.push(each)
      }
      if (stop.length === 3) break
    }
    expect(stop.map(({ chunk }) => chunk)).toMatchObject([
      { messageMetadata: { reason: 'interrupted' } },
      { messageMetadata: { reason: 'interrupted' } },
      { messageMetadata: { reason: 'finished' } },
    ])
    const [longAnswer] = demoSteps({ text: 'a long answer', files: 0, resumed: false })
    const allWords = longAnswer?.type === 'text' ? longAnswer.text.split(/\s+/).length : 0
    expect(deltas).toBeLessThan(allWords / 2)
  })
})

describe('approvals', () => {
  it('[P2] a tool runs with the input that the person changed', async () => {
    const input = { command: 'ls' }
    const chunks = await ask('an approval', { answer: { input } })
    const inputs = chunks.flatMap(chunk => (chunk.type === 'tool-input-available' ? [chunk.input] : []))
    expect(inputs).toEqual([{ command: 'rm -r build' }, input])
    expect(chunks).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-available',
        output: { input, output: 'The folder is gone.' },
      }),
    )
  })

  it('[P2] a denial is an output error with the reason, and the agent continues', async () => {
    const chunks = await ask('an approval', { answer: { approved: false, reason: 'Too dangerous.' } })
    expect(chunks).toContainEqual(
      expect.objectContaining({ type: 'tool-output-error', errorText: 'Too dangerous.' }),
    )
    expect(textOf(chunks)).toContain('All right')
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'stop' })
  })

  it('[P2] an always allowed tool needs no second approval', async () => {
    const connection = await connect({ pace: 0 })
    await prompt(connection, 'an approval')
    await prompt(connection, 'an approval')
    const chunks = await follow(connection, { answers: 2, answer: { always: true } })
    expect(chunks.filter(({ type }) => type === 'tool-approval-request')).toHaveLength(1)
  })

  it('[P2] the answer to a question is its output', async () => {
    const chunks = await ask('a question', { answer: { input: { colour: 'green' } } })
    expect(chunks).toContainEqual(
      expect.objectContaining({ type: 'tool-output-available', output: { answers: { colour: 'green' } } }),
    )
  })
})

describe('sessions and scripts', () => {
  it('[P9] a session is resumed by its own id', async () => {
    const first = await ask('hello')
    const session = first.find(chunk => chunk.type === 'data-session')?.data
    const again = await connect({ pace: 0 }, { resume: session?.agentSession ?? null })
    await prompt(again, 'hello')
    const second = await follow(again)
    expect(second.find(chunk => chunk.type === 'data-session')?.data).toEqual(session)
    expect(textOf(second)).toContain('Welcome back')
  })

  it('[A11] plays a script from a file, one answer per prompt', async () => {
    const cwd = await newFolder()
    const script = { answers: [[{ type: 'text', text: 'one' }], [{ type: 'text', text: 'two' }]] }
    await writeFile(join(cwd, 'script.json'), JSON.stringify(script))
    const connection = await connect({ script: 'script.json', pace: 0 }, { cwd })
    for (let at = 0; at < 3; at += 1) await prompt(connection, 'next')
    expect(textOf(await follow(connection, { answers: 3 }))).toBe('onetwotwo')
  })

  it('[R2] an invalid script or option is refused with a sentence that names the position', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'broken.json'), '{')
    const refused = (options: Json) => expect(connect(options, { cwd })).rejects
    await refused({ script: [{ type: 'txt' }] }).toThrow(/^The script cannot be read: "answers.0.0.type"/)
    await refused({ script: [{ type: 'text', text: 7 }] }).toThrow(/: "answers.0.0.text" must be a string/)
    await refused({ script: [{ type: 'subagent', agent: '', description: '', steps: [{}] }] }).toThrow(
      /answers.0.0.steps.0/,
    )
    await refused({ script: 'missing.json' }).toThrow(/^Cannot read the script .*missing.json \(ENOENT\)/)
    await refused({ script: 'broken.json' }).toThrow(/broken.json is not valid JSON/)
    await refused({ pace: -1 }).toThrow(/For the scripted agent, the option "pace" must be/)
  })

  it('[R2] a line of 10 MB is saved on disk and reported, and the answer continues', async () => {
    const dataFolder = await newFolder()
    const script = [
      { type: 'text', text: 'before ' },
      { type: 'raw', text: 'x', times: 10_000_000 },
      { type: 'text', text: 'after' },
    ]
    const connection = await connect({ script, pace: 0 }, { dataFolder })
    await prompt(connection, 'go')
    const chunks = await follow(connection)
    expect(textOf(chunks)).toBe('before after')
    expect(chunks).toContainEqual({
      type: 'data-notice',
      data: expect.objectContaining({ level: 'warning', code: 'line-too-long' }) as never,
    })
    expect(await readdir(join(dataFolder, 'overflow'))).toHaveLength(1)
  })

  it('[A3] a line with nothing to show gives no chunk, and an unknown line is shown', () => {
    const state = scripted.initial('c' as ConnectionId)
    const translate = (text: string) => scripted.translate(state, { from: 'agent', text })[1]
    expect(translate('{"type":"heartbeat"}')).toEqual([])
    expect(translate('{"type":"hello","session":"s","version":"1","model":"m","cwd":"/"}')).toEqual([])
    expect(scripted.translate(state, { from: 'host', text: 'anything' })[1]).toEqual([])
    expect(translate('{"type":"new","a":1}').map(({ chunk }) => chunk)).toContainEqual({
      type: 'data-unknown',
      data: { agent: 'scripted', kind: 'new', native: { type: 'new', a: 1 } },
    })
  })

  it('[A14] a failed connection leaves nothing running', async () => {
    const dataFolder = await newFolder()
    const record = () => Promise.reject(new Error('disk full'))
    await expect(connect(null, { dataFolder, record })).rejects.toThrow('disk full')
    expect(await readdir(join(dataFolder, 'processes'))).toEqual([])
    await expect(connect(null, { cwd: '/no/such/folder' })).rejects.toMatchObject({
      code: 'agent-unavailable',
      message: 'The folder /no/such/folder does not exist.',
    })
  })

  it('[A14] a disposed connection leaves nothing running', async () => {
    const dataFolder = await newFolder()
    const connection = await connect({ pace: 0 }, { dataFolder })
    expect(await readdir(join(dataFolder, 'processes'))).toHaveLength(1)
    await connection[Symbol.asyncDispose]()
    expect(await readdir(join(dataFolder, 'processes'))).toEqual([])
    await expect(prompt(connection, 'late')).rejects.toMatchObject({ code: 'agent-unavailable' })
  })
})
