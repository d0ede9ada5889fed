import { describe, expect, it, onTestFinished } from 'vitest'
import type { ApprovalId, PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { Answer, ConnectOptions } from '../agent.ts'
import { connect } from './connect.ts'
import { codex } from './index.ts'
import { obedient, pretendCodex } from './program.fixture.ts'

type Line = Readonly<Record<string, Json>>

/** Connects to a fake app-server, and records what is sent to it. */
async function open(body: string, more: Partial<ConnectOptions> = {}) {
  const dataFolder = pretendCodex(body)
  const sent: Line[] = []
  const connection = await connect({
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
  void (async () => {
    for await (const { raw } of connection.messages) lines.push(raw)
  })()
  const prompt = (...parts: readonly (string | PromptPart)[]) =>
    connection.prompt(
      'prompt-1' as PromptId,
      parts.map(part => (typeof part === 'string' ? { type: 'text', text: part } : part)),
    )
  const received = (part: string) => expect.poll(() => lines.join('\n')).toContain(part)
  return { connection, sent, prompt, received }
}

const sentAs = (sent: readonly Line[], method: string) =>
  sent.filter(line => line['method'] === method).map(({ params }) => params)

describe('connecting to Codex', () => {
  it('[A5] initializes the connection, and starts a thread with the settings of the session', async () => {
    const options = { model: 'm', approvalPolicy: 'on-request', sandbox: 'read-only', config: { a: 1 } }
    const { sent } = await open(obedient, { options })
    expect(sent).toMatchObject([
      { method: 'initialize', params: { clientInfo: { name: 'dragoman' } } },
      { method: 'initialized' },
      { method: 'thread/start', params: { cwd: '/', ...options, experimentalRawEvents: true } },
    ])
  })

  it('[A5] resumes a thread without its history, and copies one for a new session', async () => {
    const fork = { fork: 'T', forkBefore: 'U', rawEvents: false }
    const again = await open(obedient, { resume: 'F', options: fork })
    expect(sentAs(again.sent, 'thread/resume')).toEqual([{ threadId: 'F', excludeTurns: true, cwd: '/' }])
    const copied = await open(obedient, { options: fork })
    expect(sentAs(copied.sent, 'thread/fork')).toEqual([
      { threadId: 'T', excludeTurns: true, beforeTurnId: 'U', cwd: '/' },
    ])
  })

  it('[A13] copies an earlier thread up to a turn', async () => {
    const { sent } = await open(obedient, { fork: { agentSession: 'T', last: 'U' } })
    expect(sentAs(sent, 'thread/fork')).toEqual([
      { threadId: 'T', excludeTurns: true, lastTurnId: 'U', cwd: '/' },
    ])
  })

  it('[P8] sends text, images and files in the form of Codex', async () => {
    const { prompt, sent } = await open(obedient, { options: { effort: 'high' } })
    await prompt(
      'Look',
      { type: 'file', url: 'data:image/png;base64,AA==', mediaType: 'image/png' },
      { type: 'file', url: 'file:///tmp/a%20b.png', mediaType: 'image/png' },
      { type: 'file', url: 'file:///tmp/a.pdf', mediaType: 'application/pdf', filename: 'a.pdf' },
      { type: 'file', url: 'data:text/plain;base64,aGk=', mediaType: 'text/plain', filename: 'hi.txt' },
      { type: 'file', url: 'data:text/plain,100%', mediaType: 'text/plain' },
    )
    expect(sentAs(sent, 'turn/start')).toEqual([
      {
        threadId: 'T',
        clientUserMessageId: 'prompt-1',
        effort: 'high',
        input: [
          { type: 'text', text: 'Look', text_elements: [] },
          { type: 'image', url: 'data:image/png;base64,AA==' },
          { type: 'localImage', path: '/tmp/a b.png' },
          { type: 'mention', name: 'a.pdf', path: '/tmp/a.pdf' },
          { type: 'text', text: 'hi.txt:\n\nhi', text_elements: [] },
          { type: 'text', text: 'Attached file:\n\n100%', text_elements: [] },
        ],
      },
    ])
    const pdf = {
      type: 'file',
      url: 'data:application/pdf;base64,AA==',
      mediaType: 'application/pdf',
    } as const
    await expect(prompt(pdf)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('[A5] adds a prompt to a running turn, and starts a new turn when it is over', async () => {
    const { prompt, sent, received } = await open(obedient)
    await prompt('Go')
    await received('turn/started')
    await prompt('And')
    expect(sentAs(sent, 'turn/steer')).toMatchObject([{ expectedTurnId: 'U' }])
    await prompt('refuse')
    await expect.poll(() => sentAs(sent, 'turn/start')).toHaveLength(2)
    expect(sentAs(sent, 'turn/start')).toHaveLength(2)
    await prompt('finish')
    await received('turn/completed')
    await prompt('Again')
    expect(sentAs(sent, 'turn/start')).toHaveLength(3)
  })

  it('[A5] runs a compaction for "/compact" instead of sending it to the model', async () => {
    const { prompt, sent } = await open(obedient)
    await prompt(' /compact\n')
    expect(sentAs(sent, 'thread/compact/start')).toMatchObject([{ threadId: 'T' }])
    expect(sentAs(sent, 'turn/start')).toEqual([])
  })

  it('[A5] interrupts running turns, and ends their background commands', async () => {
    const { prompt, sent, connection } = await open(obedient)
    void prompt('slowly')
    await connection.interrupt()
    expect(sentAs(sent, 'turn/interrupt')).toEqual([{ threadId: 'T', turnId: 'U' }])
    expect(sentAs(sent, 'thread/backgroundTerminals/clean')).toEqual([{ threadId: 'T' }])
    await connection.interrupt()
    expect(sentAs(sent, 'turn/interrupt')).toHaveLength(1)
  })

  it('[A5] answers requests that need no person', async () => {
    const { prompt, sent } = await open(obedient)
    for (const what of ['time', 'tool', 'login']) await prompt(what)
    const answers = () => sent.filter(line => !('method' in line))
    await expect.poll(answers).toMatchObject([
      { id: 5, result: { currentTimeAt: expect.any(Number) as number } },
      { id: 6, result: { success: false } },
      { id: 7, error: { code: -32601 } },
    ])
  })
})

describe('answers', () => {
  const answers: readonly (readonly [string, Partial<Answer>, Json])[] = [
    ['command', { approved: true }, { decision: 'accept' }],
    ['command', { approved: true, always: true }, { decision: 'acceptForSession' }],
    ['command', { approved: false }, { decision: 'decline' }],
    ['command', { approved: true, input: { command: 'other' } }, { decision: 'decline' }],
    ['question', { approved: false }, { answers: {} }],
    [
      'question',
      { approved: true, input: 'Me' },
      { answers: { who: { answers: ['Me'] }, why: { answers: ['Me'] } } },
    ],
    [
      'question',
      { approved: true, input: { answers: { 'Who?': 'Me', why: ['A', 'B'] } } },
      { answers: { who: { answers: ['Me'] }, why: { answers: ['A', 'B'] } } },
    ],
    [
      'question',
      { approved: true, reason: 'Me', input: { who: 'You' } },
      { answers: { who: { answers: ['You'] } } },
    ],
    ['mcp', { approved: true, input: { a: 1 } }, { action: 'accept', content: { a: 1 }, _meta: null }],
    [
      'mcp',
      { approved: true, always: true },
      { action: 'accept', content: {}, _meta: { persist: 'session' } },
    ],
    ['mcp', { approved: false }, { action: 'decline', content: null, _meta: null }],
    ['permissions', { approved: true, always: true }, { permissions: { network: {} }, scope: 'session' }],
    ['permissions', { approved: false }, { permissions: {}, scope: 'turn' }],
    ['old', { approved: true }, { decision: 'approved' }],
    ['old', { approved: false, reason: 'No.' }, { decision: { denied: { rejection: 'No.' } } }],
  ]
  const ids: Readonly<Record<string, number>> = { command: 0, question: 1, mcp: 2, permissions: 3, old: 4 }

  it.each(answers)('[A5] to %s: %j', async (what, answer, result) => {
    const { prompt, sent, received, connection } = await open(obedient)
    await prompt(what)
    await received(`"id":${ids[what]},"method"`)
    const approval = `connection.ask-${ids[what]}` as ApprovalId
    await connection.answer(approval, { approved: true, reason: null, always: false, ...answer })
    await expect.poll(() => sent.at(-1)).toEqual({ jsonrpc: '2.0', id: ids[what], result })
    const twice = connection.answer(approval, { approved: true, reason: null, always: false })
    await expect(twice).rejects.toMatchObject({ code: 'approval-settled' })
  })

  it('[T6] only questions accept text from the person', async () => {
    const { prompt, received, connection } = await open(obedient)
    const changed = { approved: true, reason: null, always: false, input: 'Me' }
    const takes = async (what: string, id: number) => {
      await prompt(what)
      await received(`"id":${id},"method"`)
      return connection.refusal?.(`c.ask-${id}` as ApprovalId, changed) === null
    }
    expect(await takes('command', 0)).toBe(false)
    expect(await takes('question', 1)).toBe(true)
    expect(await takes('mcp', 2)).toBe(true)
    expect(await takes('permissions', 3)).toBe(false)
  })

  it('[A5] to a settled request are refused', async () => {
    const { prompt, received, connection } = await open(obedient)
    await prompt('command')
    await prompt('settle')
    await received('serverRequest/resolved')
    const late = connection.answer('c.ask-0' as ApprovalId, { approved: true, reason: null, always: false })
    await expect(late).rejects.toMatchObject({ code: 'approval-settled' })
  })
})

describe('trouble with Codex', () => {
  it('[R2] at the start is reported in a sentence', async () => {
    await expect(open('', { options: { model: 7 } })).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(open('console.error("config.toml is broken"); process.exit(1)')).rejects.toThrow(
      /^Codex exited with code 1 before it was ready: config\.toml is broken\. Try "/,
    )
    await expect(open(obedient, { resume: 'gone' })).rejects.toThrow('no rollout found')
  })

  it('[R2] a missing program is named', async () => {
    const before = process.env['DRAGOMAN_CODEX']
    onTestFinished(() => {
      process.env['DRAGOMAN_CODEX'] = before ?? ''
    })
    process.env['DRAGOMAN_CODEX'] = '/nowhere/codex'
    const connecting = codex.connect({
      cwd: '/',
      resume: null,
      options: null,
      dataFolder: '/nowhere',
      signal: AbortSignal.timeout(5_000),
      record: () => Promise.resolve(),
    })
    await expect(connecting).rejects.toThrow('was not found')
  })

  it('[R2] a silent program is given up', async () => {
    const silence = open('setInterval(() => {}, 1000)', { patience: { quietMs: 300, startMs: 600 } })
    await expect(silence).rejects.toThrow(
      /^Codex was not ready within 0\.[36] seconds and was stopped\. Try "/,
    )
  })

  it('[A14] its exit is reported, and a later prompt fails', async () => {
    const { prompt, connection } = await open(obedient)
    void prompt('die').catch(() => undefined)
    expect(await connection.exit).toMatchObject({ code: 7 })
    await expect(prompt('Hello?')).rejects.toMatchObject({ code: 'agent-unavailable' })
  })
})
