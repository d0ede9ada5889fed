import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ApprovalId, PromptId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { Answer } from '../agent.ts'
import { identifyProcess } from '../kit/process-identity.ts'
import { connect } from './connect.ts'
import { textsOf } from './messages.ts'
import { connectParrot, install } from './parrot.fixture.ts'

const uuid = '6d555d5f-ed12-44c6-afde-8dad55e5bdc8'
const granted: Answer = { approved: true, reason: null, always: false }

/** Saving our lines takes longer than the program lives. */
function savedWhenGone() {
  let pid = 0
  const started = (process: number) => void (pid = process)
  const record = () => expect.poll(() => identifyProcess(pid)).toBeUndefined()
  return { started, record }
}

/** A permission request. */
const asks = (id: string, tool: string, input: Json, more: object = {}): Json => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'can_use_tool', tool_name: tool, input, tool_use_id: `call of ${id}`, ...more },
})

/** The line that the agent gets when a person answers its request. */
async function decision(request: Json, answer: Answer): Promise<unknown> {
  const parrot = await connectParrot()
  await parrot.print(request)
  await parrot.next('control_request')
  await parrot.connection.answer('r1' as ApprovalId, answer)
  const { response } = await parrot.nextLine()
  expect(response).toMatchObject({ subtype: 'success', request_id: 'r1' })
  return (response as { readonly response: Json }).response
}

describe('the connection to Claude Code', () => {
  it('[A4] starts it with both directions of the protocol, initializes it, and records each line before it is sent', async () => {
    const parrot = await connectParrot()
    const { argv } = await parrot.next('started')
    expect(textsOf(argv)).toEqual(
      expect.arrayContaining([
        '--input-format=stream-json',
        '--output-format=stream-json',
        '--verbose',
        '--include-partial-messages',
        '--forward-subagent-text',
        '--permission-prompt-tool=stdio',
        '--permission-mode=default',
      ]),
    )
    expect(await parrot.nextLine()).toMatchObject({
      type: 'control_request',
      request: { subtype: 'initialize' },
    })
    await parrot.connection.prompt(uuid as PromptId, [{ type: 'text', text: 'Hi' }])
    const content = [{ type: 'text', text: 'Hi' }]
    expect(await parrot.nextLine()).toMatchObject({ type: 'user', uuid, message: { role: 'user', content } })
    await parrot.connection.interrupt()
    expect(await parrot.nextLine()).toMatchObject({ request: { subtype: 'interrupt', cancel_queued: true } })
    expect(parrot.recorded).toHaveLength(3)
  })

  it('[A14] a program that writes something else and exits before it is initialized: both are reported', async () => {
    const folder = install(`process.stdout.write('hello\\n{"not":"protocol"}\\n')`)
    const connecting = connect({
      cwd: folder,
      resume: null,
      options: null,
      dataFolder: folder,
      signal: new AbortController().signal,
      ...savedWhenGone(),
    })
    await expect(connecting).rejects.toThrow(
      /exited with code 0 before it was ready\. Its output does not follow the protocol: "hello"/,
    )
  })

  it('[A4] sets model and mode, resumes its own session, and forks another only at the beginning', async () => {
    const argv = async (how: Parameters<typeof connectParrot>[0]) =>
      textsOf((await (await connectParrot(how)).next('started'))['argv'])
    const options = { model: 'opus', permissionMode: 'plan', resume: uuid, fork: true }
    const begun = await argv({ options })
    expect(begun).toEqual(
      expect.arrayContaining(['--model=opus', '--permission-mode=plan', `--resume=${uuid}`]),
    )
    expect(begun).toContain('--fork-session')
    const resumed = await argv({ options, resume: 'own' })
    expect(resumed).toContain('--resume=own')
    expect(resumed).not.toContain('--fork-session')
    const many = { directories: ['/a', '-b'], allowedTools: ['Read', 'Bash(git *)'], maxBudget: 2 }
    expect(await argv({ options: many })).toEqual(
      expect.arrayContaining([
        '--add-dir=/a',
        '--add-dir=-b',
        '--allowed-tools=Read,Bash(git *)',
        '--max-budget-usd=2',
      ]),
    )
  })

  it('[R2] refuses invalid options, and names the wrong one', async () => {
    await expect(connectParrot({ options: { permissionMode: 'always' } })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(
        'For Claude Code, the option "permissionMode" must be one of',
      ) as string,
    })
    await expect(connectParrot({ options: { resume: '--help' } })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })

  it('[R3] passes on its own settings and keys, and no other variables of ours', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'key')
    vi.stubEnv('CLAUDE_CODE_ENTRYPOINT', 'inside')
    vi.stubEnv('HTTPS_PROXY', 'proxy')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'cloud')
    vi.stubEnv('GITHUB_TOKEN', 'other')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { env } = await (await connectParrot()).next('started')
    expect(env).toMatchObject({ ANTHROPIC_API_KEY: 'key', HTTPS_PROXY: 'proxy' })
    for (const name of ['CLAUDE_CODE_ENTRYPOINT', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN'])
      expect(env).not.toHaveProperty(name)
    vi.stubEnv('CLAUDE_CODE_USE_BEDROCK', '1')
    expect((await (await connectParrot()).next('started'))['env']).toHaveProperty('AWS_SECRET_ACCESS_KEY')
  })

  it('[T6] sends a person’s answer: approved, denied, approved with another input', async () => {
    const request = asks('r1', 'Bash', { command: 'ls' })
    const toolUseID = 'call of r1'
    expect(await decision(request, granted)).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
      toolUseID,
    })
    const no = { ...granted, approved: false, reason: 'Not today.' }
    expect(await decision(request, no)).toEqual({ behavior: 'deny', message: 'Not today.', toolUseID })
    const changed = await decision(request, { ...granted, input: { command: 'pwd' } })
    expect(changed).toEqual({ behavior: 'allow', updatedInput: { command: 'pwd' }, toolUseID })
  })

  it('[T6] for always, makes the narrowest suggested rules, and none where none may last', async () => {
    const rule = {
      type: 'addRules',
      rules: [{ toolName: 'Bash' }],
      behavior: 'allow',
      destination: 'localSettings',
    }
    const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }
    const always = { ...granted, always: true }
    const lasting = async (more: object) =>
      (await decision(asks('r1', 'Bash', {}, more), always)) as { readonly updatedPermissions?: Json }
    expect((await lasting({ permission_suggestions: [rule, mode] })).updatedPermissions).toEqual([
      rule,
      { ...rule, destination: 'session' },
    ])
    expect((await lasting({ permission_suggestions: [mode] })).updatedPermissions).toEqual([mode])
    expect(
      await lasting({ permission_suggestions: [rule], suppress_always_allow_rule: true }),
    ).not.toHaveProperty('updatedPermissions')
    expect(await lasting({})).not.toHaveProperty('updatedPermissions')
  })

  it('[T6] adds answers to the questions, in any form they come', async () => {
    const questions = [{ question: 'Which?', options: [{ label: 'A' }] }]
    const request = asks('r1', 'AskUserQuestion', { questions })
    const updatedInput = { questions, answers: { 'Which?': 'A' } }
    for (const input of [updatedInput, { answers: { 'Which?': 'A' } }, { 'Which?': 'A' }, 'A'])
      expect(await decision(request, { ...granted, input })).toMatchObject({ updatedInput })
  })

  it('[S10] allows the input of the request that was shown, also when another of the same id follows', async () => {
    const parrot = await connectParrot()
    await parrot.print(asks('r1', 'Bash', { command: 'ls' }), asks('r1', 'Bash', { command: 'rm -rf ~' }))
    await parrot.next('control_request')
    await parrot.next('control_request')
    await parrot.connection.answer('r1' as ApprovalId, granted)
    const { response } = await parrot.nextLine()
    expect(response).toMatchObject({ response: { updatedInput: { command: 'ls' } } })
  })

  it('[T6] does not answer a question that was cancelled or never asked', async () => {
    const parrot = await connectParrot()
    await parrot.print(asks('r1', 'Bash', {}), { type: 'control_cancel_request', request_id: 'r1' })
    await parrot.next('control_cancel_request')
    await parrot.connection.answer('r1' as ApprovalId, granted)
    await parrot.connection.answer('r2' as ApprovalId, granted)
    expect(parrot.recorded).toHaveLength(2)
  })

  it('[A4] refuses unsupported requests, so that the agent does not wait', async () => {
    const parrot = await connectParrot()
    const request = (id: string, subtype: string) => ({
      type: 'control_request',
      request_id: id,
      request: { subtype },
    })
    await parrot.print(request('r1', 'mcp_message'), request('r2', 'elicitation'), {
      type: 'control_request',
    })
    expect(await parrot.nextLine()).toMatchObject({ response: { subtype: 'error', request_id: 'r1' } })
    expect(await parrot.nextLine()).toMatchObject({
      response: { request_id: 'r2', response: { action: 'decline' } },
    })
  })

  it('[A12] says what to install when it is missing', async () => {
    const folder = install('')
    vi.stubEnv('DRAGOMAN_CLAUDE_CODE', `${folder}/nowhere`)
    const options = {
      cwd: folder,
      resume: null,
      options: null,
      dataFolder: folder,
      record: () => Promise.resolve(),
    }
    const connecting = connect({ ...options, signal: new AbortController().signal })
    await expect(connecting).rejects.toMatchObject({
      code: 'agent-unavailable',
      message: `Claude Code could not be started. The program "${folder}/nowhere" was not found. Install it, or add its folder to PATH. To install it: npm install -g @anthropic-ai/claude-code`,
    })
  })

  it('[A14] [R2] a program that never writes a line is ended, with a clear error', async () => {
    const folder = install(`setInterval(() => {}, 1e6)`)
    const connection = await connect({
      patience: { quietMs: 300, startMs: 600 },
      cwd: folder,
      resume: null,
      options: null,
      dataFolder: folder,
      signal: new AbortController().signal,
      record: () => Promise.resolve(),
    })
    onTestFinished(() => connection[Symbol.asyncDispose]())
    expect((await connection.exit).sentence).toMatch(
      /^Claude Code was not ready within 0\.[36] seconds and was stopped\. Try ".*claude --version"/,
    )
  })

  it('[A14] [R2] a program that accepts a prompt and never writes a line is ended, too', async () => {
    const folder = install(`process.stdin.once('data', () => console.log('{"type":"control_response"}'))
      setInterval(() => {}, 1e6)`)
    const connection = await connect({
      patience: { quietMs: 5_000, startMs: 700 },
      cwd: folder,
      resume: null,
      options: null,
      dataFolder: folder,
      signal: new AbortController().signal,
      record: () => Promise.resolve(),
    })
    onTestFinished(() => connection[Symbol.asyncDispose]())
    const lines = connection.messages[Symbol.asyncIterator]()
    expect((await lines.next()).value).toMatchObject({ raw: '{"type":"control_response"}' })
    await connection.prompt(uuid as PromptId, [{ type: 'text', text: 'Hi' }])
    void lines.next()
    expect((await connection.exit).sentence).toMatch(/was not ready within 0\.7 seconds/)
  })

  it('[A14] a program that exits at once is reported with its last output', async () => {
    const folder = install(`process.stderr.write('Not as root!'); process.exit(1)`)
    const options = { cwd: folder, resume: null, options: null, dataFolder: folder }
    const { signal } = new AbortController()
    const connecting = connect({ ...options, signal, ...savedWhenGone() })
    await expect(connecting).rejects.toThrow(
      /^Claude Code exited with code 1 before it was ready: Not as root! Try "/,
    )
  })
})
