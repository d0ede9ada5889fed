import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { openHouse, type House } from '../../sessions/house.fixture.ts'
import { startFakeAnthropic } from '../../testing/fake-anthropic.ts'
import { startFakeGemini } from '../../testing/fake-gemini.ts'
import { startFakeOpenAiChat, type Piece } from '../../testing/fake-openai-chat.ts'
import { startFakeOpenAi } from '../../testing/fake-openai-responses.ts'
import { scripted } from '../scripted/index.ts'
import { model } from './index.ts'
import { newFolder } from './harness.fixture.ts'

process.env['TEST_MODEL_KEY'] = 'test-key-0123456789'
const keyName = 'TEST_MODEL_KEY'

interface Played {
  readonly house: House
  readonly session: SessionId
  readonly cwd: string
}

/** A session of a model with its own store. */
async function openSession(options: Json, cwd?: string): Promise<Played> {
  const house = await openHouse([scripted, model], { dataFolder: await newFolder() })
  const folder = cwd ?? (await newFolder())
  const { session } = await house.sessions.execute({
    type: 'create',
    agent: 'model',
    cwd: folder,
    options,
  })
  return { house, session, cwd: folder }
}

async function ask({ house, session }: Pick<Played, 'house' | 'session'>, text: string): Promise<void> {
  await house.prompt(session, text)
  await house.sessions.whenIdle(session)
}

const local = (baseUrl: string, more: object = {}) =>
  ({
    provider: 'openai-compatible',
    baseUrl,
    model: 'small',
    allow: ['edit', 'write', 'run'],
    ...more,
  }) as Json
const call = (id: string, name: string, input: object): Piece => ({ call: id, name, input: input as never })
const messagesOf = (request: { body: Readonly<Record<string, Json>> } | undefined) =>
  (request?.body['messages'] ?? []) as { role: string; content: unknown; tool_call_id?: string }[]
const outcomes = async ({ house, session }: Played) =>
  (await house.events(session, 'interaction-ended')).map(({ outcome, reason }) => [outcome, reason])

describe('the context of a model, built from the journal', () => {
  it('[X6] a file that is read twice is sent once, the log says why, and rolling back restores it', async () => {
    const cwd = await newFolder()
    const lines = Array.from({ length: 30 }, (_, at) => `line number ${at + 1} of the file`)
    await writeFile(join(cwd, 'a.txt'), `${lines.join('\n')}\n`)
    await using fake = await startFakeOpenAiChat(({ before }) => ({
      pieces: [
        [call('c1', 'read', { path: 'a.txt' })],
        [call('c2', 'read', { path: 'a.txt' })],
        [
          call('c3', 'edit', {
            path: 'a.txt',
            old_string: 'line number 3 ',
            new_string: 'line number three ',
          }),
        ],
        ['Done.'],
      ][before] ?? ['?'],
    }))
    const played = await openSession(local(fake.url), cwd)
    const { house, session } = played
    await ask(played, 'Read it twice, then edit it')
    expect(await outcomes(played)).toEqual([['finished', null]])
    const third = messagesOf(fake.requests[2])
    const results = third.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
    expect(results[0]).toBe(`${lines.join('\n')}\n`)
    expect(results[1]).toMatch(/^\[\d+ lines: same as lines 1-\d+ of read .*a\.txt/)
    const applied = await house.events(session, 'manipulation-applied')
    expect(applied.map(({ strategy, reason }) => [strategy, reason])).toContainEqual([
      'duplicate',
      'the same lines are sent elsewhere',
    ])
    const compiled = await house.events(session, 'context-compiled')
    expect(compiled.map(({ policy, step }) => [policy, step])).toEqual([
      ['safe', 1],
      ['safe', 2],
      ['safe', 3],
      ['safe', 4],
    ])
    // Rolled back, the copy is sent again as it was.
    await house.sessions.execute({ type: 'roll-back', session, after: 0 })
    await ask(played, 'And now?')
    const fifth = messagesOf(fake.requests[4]).filter(({ role }) => role === 'tool')
    expect(fifth[1]?.content).toBe(`${lines.join('\n')}\n`)
    expect(await outcomes(played)).toHaveLength(2)
  })

  it('[A9] resume in a new process: the conversation is rebuilt from the journal, with signatures and results', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'a'), 'AAA')
    await using fake = await startFakeAnthropic(({ before }) => ({
      blocks: [
        [
          { type: 'thinking', pieces: ['Let me see.'] },
          { type: 'call', call: 'toolu_1', name: 'read', input: { path: 'a' } },
        ],
        [{ type: 'text', pieces: ['It says AAA.'] }],
        [{ type: 'text', pieces: ['As I said.'] }],
      ][before] as never,
    }))
    const options = { provider: 'anthropic', baseUrl: `${fake.url}/v1`, keyName }
    const { house, session } = await openSession(options, cwd)
    await ask({ house, session }, 'What does it say?')
    await house.sessions[Symbol.asyncDispose]()
    const again = await house.reopen()
    await ask({ house: again, session }, 'Say it again')
    const messages = messagesOf(fake.requests[2])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    const [thinking, used] = (messages[1]?.content ?? []) as Record<string, unknown>[]
    expect(thinking).toEqual({ type: 'thinking', thinking: 'Let me see.', signature: 'ZmFrZQ==' })
    expect(used).toMatchObject({ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } })
    expect(messages[2]?.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'toolu_1' }])
    expect(JSON.stringify(messages[3])).toContain('It says AAA.')
    expect(JSON.stringify(messages[4])).toContain('Say it again')
    const [handover] = await again.events(session, 'conversation-handed-over')
    expect(handover).toMatchObject({ how: 'compiled', transcript: null })
    await again.sessions[Symbol.asyncDispose]()
  })

  it('[A13] takes over from another agent with the journal as its memory', async () => {
    await using fake = await startFakeOpenAiChat(() => ({ pieces: ['I know.'] }))
    process.env['DRAGOMAN_SCRIPTED_PACE'] = '0'
    const house = await openHouse([scripted, model], { dataFolder: await newFolder() })
    const options = local(fake.url)
    const { session } = await house.sessions.execute({
      type: 'create',
      agent: 'model',
      cwd: await newFolder(),
      options,
    })
    await house.sessions.execute({ type: 'assign', session, agent: 'scripted' })
    await ask({ house, session }, 'Show me tools')
    await house.sessions.execute({ type: 'assign', session, agent: 'model' })
    await ask({ house, session }, 'What was that?')
    const messages = messagesOf(fake.requests[0])
    expect(JSON.stringify(messages[0])).toContain('coding agent')
    expect(JSON.stringify(messages)).toContain('Show me tools')
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: 'What was that?' })
    expect(messages.filter(({ role }) => role === 'tool').length).toBeGreaterThan(0)
    expect(JSON.stringify(messages)).not.toContain('dragoman-conversation')
    expect((await house.events(session, 'interaction-ended')).map(({ outcome }) => outcome)).toEqual([
      'finished',
      'finished',
    ])
    await house.sessions[Symbol.asyncDispose]()
  })

  it('[A9] OpenAI and Gemini get their encrypted thoughts back, through the journal', async () => {
    const cwd = await newFolder()
    await mkdir(join(cwd, 'd'))
    await using openai = await startFakeOpenAi(({ before }) => ({
      output:
        before === 0
          ? [{ type: 'reasoning' }, { type: 'call', call: 'call_1', name: 'list', input: {} }]
          : [{ type: 'message', text: ['A folder.'] }],
    }))
    const one = await openSession({ provider: 'openai', baseUrl: openai.url, keyName }, cwd)
    await ask(one, 'What is here?')
    const input = openai.requests[1]?.body['input'] as { type?: string }[]
    expect(input.find(({ type }) => type === 'reasoning')).toMatchObject({ encrypted_content: 'ZmFrZQ==' })
    expect(input.find(({ type }) => type === 'function_call_output')).toMatchObject({ output: 'd/' })
    await using gemini = await startFakeGemini(({ before }) => ({
      pieces: before === 0 ? [{ thought: 'Look.' }, { call: 'list', args: {} }] : ['A folder.'],
    }))
    const two = await openSession({ provider: 'google', baseUrl: `${gemini.url}/v1beta`, keyName }, cwd)
    await ask(two, 'What is here?')
    const contents = gemini.requests[1]?.body['contents'] as { parts: Record<string, unknown>[] }[]
    const parts = contents.flatMap(({ parts: all }) => all)
    expect(parts.filter(part => 'functionCall' in part)).toHaveLength(1)
    expect(parts.filter(part => 'functionResponse' in part)).toHaveLength(1)
  })

  it('[A9] after an interrupt, a denial or a failure, the next request is a valid conversation', async () => {
    await using fake = await startFakeAnthropic(({ before }) =>
      before === 1
        ? { status: 400, kind: 'invalid_request_error', message: 'no' }
        : {
            blocks:
              before === 0
                ? [{ type: 'thinking', pieces: ['Hm', { end: 'never' }] }]
                : [{ type: 'text', pieces: ['Here I am.'] }],
          },
    )
    const options = { provider: 'anthropic', baseUrl: `${fake.url}/v1`, keyName }
    const played = await openSession(options)
    const { house, session } = played
    await house.prompt(session, 'First')
    await expect.poll(() => fake.requests.length).toBe(1)
    await house.sessions.execute({ type: 'interrupt', session })
    await house.sessions.whenIdle(session)
    await ask(played, 'Second')
    await ask(played, 'Third')
    expect((await outcomes(played)).map(([outcome]) => outcome)).toEqual([
      'interrupted',
      'failed',
      'finished',
    ])
    const messages = messagesOf(fake.requests[2])
    expect(messages.map(({ role }) => role)).toEqual(['user'])
    expect(JSON.stringify(messages)).toMatch(/First.*Second.*Third/)
  })

  it('[X5] edited prompt: later messages are not sent', async () => {
    await using fake = await startFakeOpenAiChat(({ before }) => ({ pieces: [`Answer ${before + 1}.`] }))
    const played = await openSession(local(fake.url))
    const { house, session } = played
    await ask(played, 'First')
    await ask(played, 'Second')
    const { messages } = await house.sessions.messages(session, { thread: null, limit: 10 })
    const parent = messages[1]?.message.id ?? ''
    const parts = [{ type: 'text' as const, text: 'Instead' }]
    await house.sessions.execute({ type: 'prompt', session, parent, parts })
    await house.sessions.whenIdle(session)
    const sent = JSON.stringify(messagesOf(fake.requests[2]))
    expect(sent).toMatch(/First.*Answer 1.*Instead/)
    expect(sent).not.toContain('Second')
  })

  it('[X5] a branch from a message has the conversation up to it', async () => {
    await using fake = await startFakeOpenAiChat(({ before }) => ({ pieces: [`Answer ${before + 1}.`] }))
    const played = await openSession(local(fake.url))
    const { house, session } = played
    await ask(played, 'First')
    await ask(played, 'Second')
    const { messages } = await house.sessions.messages(session, { thread: null, limit: 10 })
    const message = messages[1]?.message.id ?? ''
    const { session: branch } = await house.sessions.execute({ type: 'branch', session, message })
    await ask({ house, session: branch }, 'Elsewhere')
    const sent = JSON.stringify(messagesOf(fake.requests[2]))
    expect(sent).toMatch(/First.*Answer 1.*Elsewhere/)
    expect(sent).not.toContain('Second')
  })

  it('[P8] images and texts of a prompt go through the journal unchanged', async () => {
    await using fake = await startFakeOpenAiChat(() => ({ pieces: ['Nice.'] }))
    const played = await openSession(local(fake.url))
    await played.house.sessions.execute({
      type: 'prompt',
      session: played.session,
      parts: [
        { type: 'file', url: 'data:image/png;base64,iVBORw0KGgo=', mediaType: 'image/png' },
        { type: 'file', url: 'data:text/csv;base64,YSxi', mediaType: 'text/csv', filename: 'x.csv' },
      ],
    })
    await played.house.sessions.whenIdle(played.session)
    const [, message] = messagesOf(fake.requests[0])
    expect(message?.content).toMatchObject([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'text', text: 'x.csv:\na,b' },
    ])
  })

  it('[T6] "always" makes a rule, and the next call of the kind does not ask', async () => {
    await using fake = await startFakeOpenAiChat(({ before }) => ({
      pieces: [
        [call('c1', 'run', { command: 'echo hi' })],
        [call('c2', 'run', { command: 'echo hi' })],
        ['Twice.'],
      ][before] ?? ['?'],
    }))
    const played = await openSession({ provider: 'openai-compatible', baseUrl: fake.url, model: 'small' })
    const { house, session } = played
    await house.prompt(session, 'Say hi twice')
    const asked = async () => (await house.sessions.approvals(session)).approvals
    await expect.poll(asked).toHaveLength(1)
    const approval = (await asked())[0]?.id ?? ''
    await house.sessions.execute({ type: 'answer', session, approval, approved: true, always: true })
    await house.sessions.whenIdle(session)
    expect(await outcomes(played)).toEqual([['finished', null]])
    const answers = await house.events(session, 'approval-answered')
    expect(answers.map(({ by }) => by)).toEqual(['person', 'rule'])
  })

  it('[O4] a wrong key, no key and no service end the interaction with a clear error', async () => {
    const played = await openSession({ provider: 'openai', keyName: 'NO_SUCH_KEY' })
    await ask(played, 'Hi')
    const [[outcome, reason] = []] = await outcomes(played)
    expect(outcome).toBe('failed')
    expect(reason).toContain('No API key found for OpenAI. Set the environment variable NO_SUCH_KEY')
  })

  it('[X6] recall returns content that is only referred to', async () => {
    const cwd = await newFolder()
    await writeFile(
      join(cwd, 'a'),
      Array.from({ length: 12 }, (_, at) => `a rather long line ${at}`).join('\n'),
    )
    await using fake = await startFakeOpenAiChat(({ before, body }) => {
      if (before < 2) return { pieces: [call(`c${before}`, 'read', { path: 'a' })] }
      const name = /same as [^"]*, (\w+)\]/.exec(JSON.stringify(body['messages']))?.[1] ?? 'none'
      return { pieces: before === 2 ? [call('c2', 'recall', { name })] : ['Thanks.'] }
    })
    const played = await openSession(local(fake.url), cwd)
    await ask(played, 'Go')
    const { messages } = await played.house.sessions.messages(played.session, { thread: null, limit: 10 })
    const parts = messages.flatMap(({ message }) => message.parts)
    const recalled = parts.find(part => part.type === 'dynamic-tool' && part.toolName === 'recall')
    expect(recalled).toMatchObject({
      state: 'output-available',
      output: expect.stringContaining('a rather long line 11') as string,
    })
  })

  it('[X6] recall does not return what a person deleted', async () => {
    let name = ''
    await using fake = await startFakeOpenAiChat(({ body, before }) => {
      name = /recall (\w+)/.exec(JSON.stringify(body['messages']))?.[1] ?? name
      if (before === 0) return { pieces: [call('c0', 'run', { command: 'echo a secret' })] }
      return { pieces: before % 2 === 0 ? [call(`c${before}`, 'recall', { name })] : ['Well.'] }
    })
    const played = await openSession(local(fake.url))
    const { sessions } = played.house
    const recalled = async () => {
      const { messages } = await sessions.messages(played.session, { thread: null, limit: 10 })
      const found = messages
        .flatMap(({ message }) => message.parts)
        .findLast(part => part.type === 'dynamic-tool' && part.toolName === 'recall')
      return JSON.stringify(found)
    }
    const change = (what: 'archive' | 'delete', interaction: string) =>
      sessions.execute({
        type: 'manipulate',
        session: played.session,
        changes: [{ do: what, interaction }],
      })
    await ask(played, 'Run it')
    const [first] = (await sessions.interactions(played.session, { limit: 10 })).interactions
    await change('archive', first?.id ?? '')
    await ask(played, 'Recall it')
    expect(await recalled()).toContain('secret')
    await change('delete', first?.id ?? '')
    await ask(played, 'Recall it again')
    expect(await recalled()).not.toContain('secret')
  })

  it('[P8] an image that a tool reads goes through the journal as an image', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'p.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
    await using fake = await startFakeAnthropic(({ results }) => ({
      blocks:
        results === 0
          ? [{ type: 'call', call: 't1', name: 'read', input: { path: 'p.png' } }]
          : [{ type: 'text', pieces: ['A dot.'] }],
    }))
    const options = { provider: 'anthropic', baseUrl: `${fake.url}/v1`, keyName }
    const played = await openSession(options, cwd)
    await ask(played, 'Look')
    expect(await outcomes(played)).toEqual([['finished', null]])
    expect(JSON.stringify(fake.requests[1]?.body)).toContain('"media_type":"image/png","data":"iVBORw0KGgo="')
  })
})
