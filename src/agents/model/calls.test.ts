import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startFakeAnthropic } from '../../testing/fake-anthropic.ts'
import { startFakeGemini } from '../../testing/fake-gemini.ts'
import { startFakeOpenAiChat, type Piece } from '../../testing/fake-openai-chat.ts'
import { startFakeOpenAi } from '../../testing/fake-openai-responses.ts'
import { createHarness, endOf, newFolder, outcomesOf, textIn } from './harness.fixture.ts'

process.env['TEST_MODEL_KEY'] = 'test-key-0123456789'
const keyName = 'TEST_MODEL_KEY'

/** A model with one answer for each request, in order. */
const scripted = (...answers: readonly (readonly Piece[])[]) =>
  startFakeOpenAiChat(({ before }) => ({ pieces: answers[before] ?? ['Done.'] }))
const local = (baseUrl: string) => ({ provider: 'openai-compatible', baseUrl, model: 'small' })
const call = (id: string, name: string, input: object): Piece => ({ call: id, name, input: input as never })
const bodies = (fake: { requests: readonly { body: unknown }[] }) =>
  fake.requests.map(({ body }) => JSON.stringify(body))

describe('calls of a model', () => {
  it('[A9] a tool runs, and the model gets its result', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'a.txt'), 'one\ntwo\n')
    await using fake = await scripted([call('c1', 'read', { path: 'a.txt' })], ['I have read it.'])
    await using harness = await createHarness(local(fake.url), { cwd })
    const chunks = await harness.prompt('Read a.txt')
    expect(outcomesOf(chunks)).toEqual({ c1: 'one\ntwo\n' })
    expect(textIn(chunks)).toBe('I have read it.')
    expect(chunks.filter(({ type }) => type === 'start-step')).toHaveLength(2)
    expect(bodies(fake)[1]).toContain(String.raw`one\ntwo\n`)
    expect(endOf(chunks)['tokens']).toMatchObject({ input: 200, output: 60 })
  })

  it('[A9] a failed tool reports the reason to the model, which continues', async () => {
    await using fake = await scripted([call('c1', 'read', { path: 'none.txt' })], ['It is not there.'])
    await using harness = await createHarness(local(fake.url))
    const chunks = await harness.prompt('Read none.txt')
    expect(outcomesOf(chunks)).toEqual({ c1: 'error: No such file or folder.' })
    expect(endOf(chunks)).toMatchObject({ reason: 'finished' })
    expect(bodies(fake)[1]).toContain('No such file or folder.')
  })

  it('[A9] an unknown tool, and an invalid input, are reported to the model', async () => {
    await using fake = await scripted(
      [call('c1', 'explode', {}), call('c2', 'read', { file: 'a' })],
      ['Sorry.'],
    )
    await using harness = await createHarness(local(fake.url))
    const chunks = await harness.prompt('Go')
    const outcomes = outcomesOf(chunks)
    expect(outcomes['c1']).toMatch(/^error: There is no tool explode\. Available tools: read, .*\.$/)
    expect(outcomes['c2']).toBe('error: "path" in the input of read is missing. It did not run.')
    expect(bodies(fake)[1]).toContain('is missing. It did not run.')
    expect(bodies(fake)[1]).not.toMatch(/AI_InvalidToolInput|AI_TypeValidation/)
    expect(textIn(chunks)).toBe('Sorry.')
  })

  it('[A9] tools run in parallel, and each result finds its call', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'a'), 'A')
    await writeFile(join(cwd, 'b'), 'B')
    await using fake = await startFakeAnthropic(({ results }) => ({
      blocks:
        results > 0
          ? [{ type: 'text', pieces: ['Both.'] }]
          : [
              { type: 'thinking', pieces: ['Two files.'] },
              { type: 'call', call: 'toolu_1', name: 'read', input: { path: 'a' } },
              { type: 'call', call: 'toolu_2', name: 'read', input: { path: 'b' } },
            ],
    }))
    await using harness = await createHarness(
      { provider: 'anthropic', baseUrl: `${fake.url}/v1`, keyName },
      { cwd },
    )
    const chunks = await harness.prompt('Read both')
    expect(outcomesOf(chunks)).toEqual({ toolu_1: 'A', toolu_2: 'B' })
    const messages = fake.requests[1]?.body['messages'] as {
      content: { type: string; signature?: string }[]
    }[]
    expect(messages[1]?.content[0]).toMatchObject({ type: 'thinking', signature: 'ZmFrZQ==' })
    expect(messages[2]?.content.map(({ type }) => type)).toEqual(['tool_result', 'tool_result'])
  })

  it('[A9] the same id used again, and calls without one, are distinguished', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'a'), 'A')
    const again = [call('call_0', 'read', { path: 'a' })]
    await using fake = await scripted(again, again, ['Twice.'])
    await using harness = await createHarness(local(fake.url), { cwd })
    const chunks = await harness.prompt('Read it twice')
    expect(Object.values(outcomesOf(chunks))).toEqual(['A', 'A'])
    await using gemini = await startFakeGemini(({ before }) => ({
      pieces:
        before > 0
          ? ['Done.']
          : [
              { call: 'read', args: { path: 'a' } },
              { call: 'list', args: {} },
            ],
    }))
    const google = { provider: 'google', baseUrl: `${gemini.url}/v1beta`, keyName }
    await using other = await createHarness(google, { cwd })
    const outcomes = Object.entries(outcomesOf(await other.prompt('Go'))).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    )
    expect(outcomes.map(([, output]) => output)).toEqual(['A', 'a'])
  })

  it('[A9] OpenAI gets its encrypted thoughts back with the results', async () => {
    const cwd = await newFolder()
    await using fake = await startFakeOpenAi(({ before }) => ({
      output:
        before > 0
          ? [{ type: 'message', text: ['Nothing there.'] }]
          : [{ type: 'reasoning' }, { type: 'call', call: 'call_1', name: 'list', input: {} }],
    }))
    await using harness = await createHarness({ provider: 'openai', baseUrl: fake.url, keyName }, { cwd })
    const chunks = await harness.prompt('What is here?')
    expect(outcomesOf(chunks)).toEqual({ call_1: '. is empty.' })
    const seals = chunks.flatMap(chunk =>
      chunk.type === 'reasoning-end'
        ? [chunk.providerMetadata?.['openai']?.['reasoningEncryptedContent']]
        : [],
    )
    expect(seals).toEqual(['ZmFrZQ=='])
    const input = fake.requests[1]?.body['input'] as { type?: string; encrypted_content?: string }[]
    expect(input.find(({ type }) => type === 'reasoning')?.encrypted_content).toBe('ZmFrZQ==')
    expect(input.map(({ type }) => type)).toContain('function_call_output')
  })

  it('[A9] approval: an allowed call runs', async () => {
    await using fake = await scripted([call('c1', 'write', { path: 'x/new.txt', content: 'hi' })])
    await using harness = await createHarness(local(fake.url))
    const answer = harness.prompt('Write it')
    const { approvalId, toolCallId } = await harness.until('tool-approval-request')
    expect(toolCallId).toBe('c1')
    await harness.answer(approvalId, {})
    expect(outcomesOf(await answer)['c1']).toBe('Made x/new.txt (1 lines).')
    expect(await readFile(join(harness.cwd, 'x/new.txt'), 'utf8')).toBe('hi')
  })

  it('[A9] approval: a denied call does not run, and the model gets the reason', async () => {
    await using fake = await scripted([call('c1', 'run', { command: 'touch here' })], ['Then not.'])
    await using harness = await createHarness(local(fake.url))
    const answer = harness.prompt('Touch it')
    const { approvalId } = await harness.until('tool-approval-request')
    await harness.answer(approvalId, { approved: false, reason: 'not today' })
    const chunks = await answer
    expect(outcomesOf(chunks)).toEqual({ c1: 'error: The person denied this call: not today' })
    expect(textIn(chunks)).toBe('Then not.')
    await expect(readFile(join(harness.cwd, 'here'))).rejects.toThrow('ENOENT')
    expect(bodies(fake)[1]).toContain('not today')
  })

  it('[A9] approval: the edited input runs, and the model is informed', async () => {
    await using fake = await scripted([call('c1', 'run', { command: 'echo bad' })], ['Fine.'])
    await using harness = await createHarness(local(fake.url))
    const answer = harness.prompt('Say it')
    const { approvalId } = await harness.until('tool-approval-request')
    await harness.answer(approvalId, { input: { command: 'echo good' } })
    const chunks = await answer
    expect(outcomesOf(chunks)['c1']).toMatchObject({ output: 'good\n', exitCode: 0 })
    const inputs = chunks.flatMap(chunk => (chunk.type === 'tool-input-available' ? [chunk.input] : []))
    expect(inputs).toEqual([{ command: 'echo bad' }, { command: 'echo good' }])
    expect(bodies(fake)[1]).toContain('The person edited the input')
    expect(bodies(fake)[1]).not.toContain(String.raw`bad\n`)
  })

  it('[A9] approval: an invalid edited input does not run', async () => {
    await using fake = await scripted([call('c1', 'run', { command: 'touch here' })])
    await using harness = await createHarness(local(fake.url))
    const answer = harness.prompt('Go')
    const { approvalId } = await harness.until('tool-approval-request')
    await harness.answer(approvalId, { input: { cmd: 'touch there' } })
    expect(outcomesOf(await answer)['c1']).toMatch(/did not run/)
  })

  it('[A9] tools that are allowed by configuration do not ask', async () => {
    await using fake = await scripted([call('c1', 'run', { command: 'echo hi; exit 3' })])
    await using harness = await createHarness({ ...local(fake.url), allow: ['run'] })
    const chunks = await harness.prompt('Go')
    expect(outcomesOf(chunks)['c1']).toEqual({ output: 'hi\n', exitCode: 3 })
    expect(chunks.map(({ type }) => type)).not.toContain('tool-approval-request')
  })

  it('[A9] the plan is shown', async () => {
    const todos = [
      { content: 'look', status: 'completed' },
      { content: 'leap', status: 'in_progress' },
    ]
    await using fake = await scripted([call('c1', 'todo', { todos })])
    await using harness = await createHarness(local(fake.url))
    const chunks = await harness.prompt('Plan')
    expect(chunks).toContainEqual({
      type: 'data-todos',
      id: 'todos',
      data: {
        todos: [
          { text: 'look', status: 'completed' },
          { text: 'leap', status: 'in-progress' },
        ],
      },
    })
  })

  it('[A9] a question goes to the user, and the answer to the model', async () => {
    const question = { question: 'Tea or coffee?', options: [{ label: 'Tea' }, { label: 'Coffee' }] }
    await using fake = await scripted([call('c1', 'ask', { questions: [question] })], ['Tea it is.'])
    await using harness = await createHarness(local(fake.url))
    const answer = harness.prompt('Ask me')
    const { approvalId } = await harness.until('tool-approval-request')
    await harness.answer(approvalId, {
      input: { questions: [question], answers: { 'Tea or coffee?': 'Tea' } },
    })
    expect(outcomesOf(await answer)['c1']).toEqual({ answers: { 'Tea or coffee?': 'Tea' } })
    expect(bodies(fake)[1]).toContain(String.raw`Tea or coffee?\":\"Tea`)
  })

  it('[P4] a subagent has a separate thread and tools, and its report is passed on', async () => {
    const cwd = await newFolder()
    await mkdir(join(cwd, 'sub'))
    await using fake = await startFakeOpenAiChat(({ body }) => {
      const sent = JSON.stringify(body['messages'])
      const isHelper = sent.includes('a subagent with a task')
      if (isHelper) return { pieces: sent.includes('sub/') ? ['There is sub.'] : [call('h1', 'list', {})] }
      return {
        pieces: sent.includes('There is sub.')
          ? ['It found sub.']
          : [call('d1', 'delegate', { description: 'look around', prompt: 'What is here?' })],
      }
    })
    await using harness = await createHarness(local(fake.url), { cwd })
    const chunks = await harness.prompt('Let someone look')
    expect(textIn(chunks)).toBe('It found sub.')
    expect(outcomesOf(chunks)).toEqual({ d1: 'There is sub.' })
    const inside = harness.chunks.filter(({ thread }) => thread === 'd1').map(({ chunk }) => chunk)
    expect(outcomesOf(inside)).toEqual({ h1: 'sub/' })
    expect(textIn(inside)).toBe('There is sub.')
    const news = chunks.findLast(chunk => chunk.type === 'data-subagent')
    expect(news?.data).toMatchObject({
      description: 'look around',
      status: 'completed',
      toolCalls: 1,
      tokens: 300,
      lastWords: 'There is sub.',
    })
    expect(endOf(chunks)['tokens']).toMatchObject({ input: 400, output: 120 })
  })

  it('[P4] parallel subagents do not mix their texts', async () => {
    await using fake = await startFakeOpenAiChat(({ body }) => {
      const sent = JSON.stringify(body['messages'])
      const who = /Say (one|two) slowly/.exec(sent)?.[1]
      if (sent.includes('a subagent with a task'))
        return { pieces: [`${who} `, { wait: 15 }, `${who} `, { wait: 15 }, `${who}`] }
      if (sent.includes('one one one')) return { pieces: ['Heard both.'] }
      return {
        pieces: ['one', 'two'].map(each =>
          call(`d-${each}`, 'delegate', { description: each, prompt: `Say ${each} slowly` }),
        ),
      }
    })
    await using harness = await createHarness(local(fake.url))
    await harness.prompt('Both, please')
    for (const each of ['one', 'two']) {
      const inside = harness.chunks.filter(({ thread }) => thread === `d-${each}`).map(({ chunk }) => chunk)
      expect(textIn(inside)).toBe(`${each} ${each} ${each}`)
    }
    expect(harness.lines.some(({ text }) => text.includes('"dragoman":"from"'))).toBe(true)
  })

  it('[P4] a subagent asks like any agent, and its failure is reported to its parent', async () => {
    await using fake = await startFakeOpenAiChat(({ body }) => {
      const sent = JSON.stringify(body['messages'])
      if (sent.includes('a subagent with a task'))
        return sent.includes('Made x')
          ? { status: 400, body: { error: { message: 'no more' } } }
          : { pieces: [call('h1', 'write', { path: 'x', content: 'y' })] }
      const task = { description: 'write', prompt: 'Write x' }
      return { pieces: sent.includes('no more') ? ['It failed.'] : [call('d1', 'delegate', task)] }
    })
    await using harness = await createHarness(local(fake.url))
    const answer = harness.prompt('Let someone write')
    const { approvalId } = await harness.until('tool-approval-request', (_, thread) => thread === 'd1')
    await harness.answer(approvalId, {})
    const chunks = await answer
    expect(textIn(chunks)).toBe('It failed.')
    expect(await readFile(join(harness.cwd, 'x'), 'utf8')).toBe('y')
    expect(outcomesOf(chunks)['d1']).toMatch(/^error: .*no more/)
    const news = chunks.findLast(chunk => chunk.type === 'data-subagent')
    expect(news?.data.status).toBe('failed')
  })
})
