import { describe, expect, it, onTestFinished } from 'vitest'
import type { ApprovalId, PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { Answer, ConnectOptions } from '../agent.ts'
import { connectBy } from './connect.ts'
import { obedient, pretendOpenCode } from './program.fixture.ts'
import { startServer } from './server.ts'
import { createServers } from './servers.ts'

type Line = Readonly<Record<string, Json>>

/** Connects to a fake server, and records what was sent to it. */
async function open(dataFolder: string, more: Partial<ConnectOptions> = {}, pool = createServers()) {
  const sent: Line[] = []
  const connection = await connectBy(pool, {
    cwd: '/',
    resume: null,
    options: null,
    dataFolder,
    signal: AbortSignal.timeout(80_000),
    record({ raw }) {
      sent.push(JSON.parse(raw) as Line)
      return Promise.resolve()
    },
    ...more,
  })
  onTestFinished(async () => await connection[Symbol.asyncDispose]())
  const lines: string[] = []
  const listening = (async () => {
    for await (const { raw } of connection.messages) lines.push(raw)
  })()
  const prompt = (text: string) => connection.prompt('prompt-1' as PromptId, [{ type: 'text', text }])
  const received = (part: string) => expect.poll(() => lines.join('\n')).toContain(part)
  return { connection, sent, prompt, received, lines, listening }
}

const isAlive = (pid: number | null) => {
  try {
    return pid !== null && process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('connecting to OpenCode', () => {
  it('[A6] begins, resumes and copies sessions', async () => {
    const folder = pretendOpenCode(obedient)
    const pool = createServers()
    const permission = [{ permission: 'bash', pattern: '*', action: 'ask' }]
    const begun = await open(folder, { options: { permission } }, pool)
    expect(begun.sent).toEqual([{ method: 'POST', path: '/session', body: { permission } }])
    const again = await open(folder, { resume: 'ses_old', options: { fork: 'x' } }, pool)
    expect(again.sent).toEqual([{ method: 'GET', path: '/session/ses_old' }])
    const copied = await open(folder, { options: { fork: 'ses_old', forkBefore: 'msg_1' } }, pool)
    expect(copied.sent).toEqual([
      { method: 'POST', path: '/session/ses_old/fork', body: { messageID: 'msg_1' } },
    ])
    await expect(open(folder, { resume: 'gone' }, pool)).rejects.toThrow('(404): not there')
  })

  it('[A13] copies a session of ours up to a message, without later ones', async () => {
    const folder = pretendOpenCode(obedient)
    const pool = createServers()
    const fork = { agentSession: 'told', last: 'msg_2' }
    const { sent } = await open(folder, { fork }, pool)
    expect(sent).toEqual([
      { method: 'GET', path: '/session/told/message' },
      { method: 'POST', path: '/session/told/fork', body: { messageID: 'msg_3' } },
    ])
    await expect(open(folder, { fork: { ...fork, last: 'msg_9' } }, pool)).rejects.toThrow('no longer has')
  })

  it('[P8] sends prompts with their files and settings, and stops on request', async () => {
    const folder = pretendOpenCode(obedient)
    const options = { model: 'p/m/x', agent: 'plan', variant: 'high' }
    const { connection, sent } = await open(folder, { resume: 'S', options })
    await connection.prompt('prompt-1' as PromptId, [
      { type: 'text', text: 'Look' },
      { type: 'file', url: 'data:image/png;base64,AA', mediaType: 'image/png', filename: 'a.png' },
      { type: 'file', url: 'file:///tmp/a', mediaType: 'text/plain' },
    ])
    await connection.interrupt()
    expect(sent.slice(1)).toEqual([
      {
        method: 'POST',
        path: '/session/S/prompt_async',
        body: {
          model: { providerID: 'p', modelID: 'm/x' },
          agent: 'plan',
          variant: 'high',
          parts: [
            { type: 'text', text: 'Look' },
            { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA', filename: 'a.png' },
            { type: 'file', mime: 'text/plain', url: 'file:///tmp/a' },
          ],
        },
      },
      { method: 'POST', path: '/session/S/abort', body: {} },
    ])
    await expect(open(folder, { options: { model: 'nothing' } })).rejects.toThrow('provider/model')
  })

  it('[A6] reads only the events of this session and its child sessions, without heartbeats', async () => {
    const folder = pretendOpenCode(obedient)
    const { prompt, received, lines } = await open(folder, { resume: 'S' })
    await prompt('child')
    await received('"session.idle","properties":{"sessionID":"S"}')
    const text = lines.join('\n')
    expect(text).toContain('"session.idle","properties":{"sessionID":"S-child"}')
    expect(text).toContain('server.connected')
    expect(text).not.toContain('stranger')
    expect(text).not.toContain('heartbeat')
  })

  it('[A6] [R4] one server serves a folder, and ends when the last session leaves it', async () => {
    const folder = pretendOpenCode(obedient)
    const pool = createServers()
    const started: number[] = []
    const watch = { started: (pid: number) => void started.push(pid) }
    const [one, two] = await Promise.all([open(folder, watch, pool), open(folder, watch, pool)])
    const other = await open(folder, { options: { config: { a: 1 } } }, pool)
    const { process: pid } = one.connection
    expect(two.connection.process).toBe(pid)
    expect(started).toEqual([pid, pid])
    expect(other.connection.process).not.toBe(pid)
    await one.connection[Symbol.asyncDispose]()
    await one.listening
    expect(await one.connection.exit).toEqual({ code: null, signal: null, reason: null })
    expect(isAlive(pid)).toBe(true)
    await two.connection[Symbol.asyncDispose]()
    expect(isAlive(pid)).toBe(false)
    expect((await open(folder, {}, pool)).connection.process).not.toBe(pid)
  })

  it('[A6] after a gap, missed messages are requested', async () => {
    const folder = pretendOpenCode(obedient)
    const { prompt, received, lines } = await open(folder, { resume: 'S' })
    await prompt('gap')
    await received('"path":"/session/status"')
    const asked = lines
      .filter(line => line.startsWith('{"path"'))
      .map(line => (JSON.parse(line) as Line)['path'])
    expect(asked).toEqual(['/session/S/message', '/permission', '/question', '/session/status'])
    await prompt('child')
    await received('"session.idle","properties":{"sessionID":"S"}')
  })

  it('[A14] its exit is reported to all, with its last output, and the next session gets a new one', async () => {
    const folder = pretendOpenCode(obedient)
    const pool = createServers()
    const [one, two] = [await open(folder, { resume: 'S' }, pool), await open(folder, { resume: 'R' }, pool)]
    void one.prompt('die').catch(() => undefined)
    expect(await one.connection.exit).toMatchObject({ code: 7, reason: 'a word for the log' })
    expect(await two.connection.exit).toMatchObject({ code: 7 })
    await Promise.all([one.listening, two.listening])
    await expect(two.prompt('Hello?')).rejects.toThrow()
    expect((await open(folder, {}, pool)).connection.process).not.toBe(one.connection.process)
  })
})

describe('answers', () => {
  const answers: readonly (readonly [string, Partial<Answer>, string, Json])[] = [
    ['per_1', {}, '/permission/per_1/reply', { reply: 'once' }],
    ['per_1', { always: true }, '/permission/per_1/reply', { reply: 'always' }],
    ['per_1', { approved: false }, '/permission/per_1/reply', { reply: 'reject' }],
    [
      'per_1',
      { input: { command: 'ls' } },
      '/permission/per_1/reply',
      { reply: 'reject', message: 'Do it with this input instead: {"command":"ls"}' },
    ],
    [
      'per_1',
      { approved: false, reason: 'No.' },
      '/permission/per_1/reply',
      { reply: 'reject', message: 'No.' },
    ],
    ['que_1', { input: 'Me' }, '/question/que_1/reply', { answers: [['Me'], ['Me']] }],
    [
      'que_1',
      { input: { answers: { 'Who?': 'Me', 'Why?': ['A', 'B'] } } },
      '/question/que_1/reply',
      { answers: [['Me'], ['A', 'B']] },
    ],
    ['que_1', { input: { W: 'Me' } }, '/question/que_1/reply', { answers: [['Me'], []] }],
    ['que_1', { input: { answers: [['Me'], ['A']] } }, '/question/que_1/reply', { answers: [['Me'], ['A']] }],
    ['que_1', { approved: false }, '/question/que_1/reject', {}],
  ]

  it.each(answers)('[A6] to %s: %j', async (approval, answer, path, body) => {
    const folder = pretendOpenCode(obedient)
    const { prompt, received, sent, connection } = await open(folder, { resume: 'S' })
    await prompt('question')
    await received('que_1')
    await connection.answer(approval as ApprovalId, {
      approved: true,
      reason: null,
      always: false,
      ...answer,
    })
    expect(sent.at(-1)).toEqual({ method: 'POST', path, body })
  })

  it('[T6] only questions accept free text', async () => {
    const { prompt, received, connection } = await open(pretendOpenCode(obedient), { resume: 'S' })
    await prompt('question')
    await received('que_1')
    const changed = { approved: true, reason: null, always: false, input: 'Me' }
    expect(connection.refusal?.('que_1' as ApprovalId, changed)).toBeNull()
    expect(connection.refusal?.('per_1' as ApprovalId, changed)).toMatch(/edited input/)
  })

  it('[A6] are refused when nothing waits for them any more', async () => {
    const { connection } = await open(pretendOpenCode(obedient))
    const late = connection.answer('per_gone' as ApprovalId, { approved: true, reason: null, always: false })
    await expect(late).rejects.toMatchObject({ code: 'approval-settled' })
  })
})

describe('failures of OpenCode', () => {
  it('[R2] at the start are reported clearly, and leave nothing behind', async () => {
    const dying = pretendOpenCode('console.error("config is broken"); process.exit(1)')
    await expect(open(dying)).rejects.toThrow(
      /^OpenCode exited with code 1 before it was ready: config is broken\. Try "/,
    )
    process.env['DRAGOMAN_OPENCODE'] = '/nowhere/opencode'
    await expect(open(dying)).rejects.toThrow('was not found')
  })

  it('[R2] a server that never listens is given up', async () => {
    const folder = pretendOpenCode('setInterval(() => {}, 1000)')
    const pids: number[] = []
    const pool = createServers(options =>
      startServer({ ...options, patience: { quietMs: 300, startMs: 600 } }),
    )
    const silence = open(folder, { started: pid => void pids.push(pid) }, pool)
    await expect(silence).rejects.toThrow(/was not ready within 0\.[36] seconds/)
    expect(pids.map(isAlive)).toEqual([false])
  })

  it('[A1] an abort ends the connection', async () => {
    const folder = pretendOpenCode(obedient)
    const controller = new AbortController()
    const { connection, listening } = await open(folder, { signal: controller.signal })
    controller.abort()
    await listening
    await connection.exit
    await expect.poll(() => isAlive(connection.process)).toBe(false)
  })
})
