import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ConnectionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { readBothSides } from '../acp/lossless.fixture.ts'
import { done, opened, prompt, text, theirs, update } from '../acp/lines.fixture.ts'
import type { RawMessage } from '../agent.ts'
import { partsOf, stored, translateLines } from '../kit/lossless.fixture.ts'
import { geminiCli } from './index.ts'
import { initialTranscript, translateTranscript } from './transcript.ts'

/** Gemini CLI opens a session. */
const begun = opened.map(line => ({ ...line, text: line.text.replace('some-agent', 'gemini-cli') }))
const header = theirs({ sessionId: 's', projectHash: 'h', kind: 'main' })
const chat = (id: string, more: Record<string, Json>) =>
  theirs({ id, timestamp: 't', type: 'gemini', ...more })
const call = (status: string, more: Record<string, Json> = {}) =>
  update('tool_call_update', { toolCallId: 'c', status, ...more })
const kept = (status: string, response: Json): Json => [
  {
    id: 'c',
    name: 'read_file',
    args: { path: 'a' },
    status,
    description: 'a',
    result: [{ functionResponse: { id: 'c', response } }],
  },
]

function read(lines: readonly RawMessage[]) {
  const chunks = translateLines(geminiCli, [...begun, header, ...lines])
  assertWellFormed(chunks)
  return { chunks, messages: stored(chunks) }
}
const recorded = (name: string) =>
  readBothSides(geminiCli, join(import.meta.dirname, 'recordings', `${name}.jsonl`))

describe('the chat file of Gemini CLI, read in addition to ACP', () => {
  it('[P3] gives a call its name, input and output, before or after ACP ends it', () => {
    const whole = {
      toolName: 'read_file',
      title: 'a.txt',
      input: { path: 'a' },
      output: { output: 'A' },
    }
    const begin = update('tool_call', {
      toolCallId: 'c',
      status: 'in_progress',
      title: 'a.txt',
      kind: 'read',
    })
    const line = chat('m', { content: '', toolCalls: kept('success', { output: 'A' }) })
    for (const lines of [
      [begin, call('completed', { content: [] }), line],
      [begin, line, call('completed', { content: [] })],
      [begin, line, line, call('completed', { content: [] }), line],
    ])
      expect(partsOf(read([prompt(), ...lines, done()]), 'dynamic-tool')).toMatchObject([whole])
  })

  it('[P3] gives the output of a call, also when it first appears in the middle of an answer', () => {
    const lines = [...begun, prompt(), call('completed', { title: 'x', content: [] }), header]
    const line = chat('m', { content: '', toolCalls: kept('success', { output: 'A' }) })
    const chunks = translateLines(geminiCli, [...lines, line, done()])
    assertWellFormed(chunks)
    const [part] = partsOf({ messages: stored(chunks) }, 'dynamic-tool')
    expect(part).toMatchObject({ output: { output: 'A' } })
  })

  it('[P3] a call that is not in the file ends with the answer, as ACP says', () => {
    const parts = partsOf(
      read([prompt(), call('completed', { title: 'x', content: [] }), text('So.'), done()]),
      'dynamic-tool',
    )
    expect(parts).toMatchObject([{ state: 'output-available', output: {} }])
    const failed = call('failed', { content: [{ type: 'content', content: { type: 'text', text: 'No.' } }] })
    expect(partsOf(read([prompt(), failed, done()]), 'dynamic-tool')).toMatchObject([{ errorText: 'No.' }])
    expect(partsOf(read([prompt(), failed]), 'dynamic-tool')).toEqual([])
  })

  it('[P3] reports a tool that does not exist, which ACP does not', () => {
    const calls = partsOf(recorded('chat-tools'), 'dynamic-tool')
    expect(calls.map(({ toolName, state }) => `${toolName} ${state}`)).toEqual([
      'read_file output-available',
      'read_file output-error',
      'no_such_tool output-error',
    ])
    expect(JSON.stringify(calls[0])).toContain('alpha\\nbeta')
  })

  it('[P5] text of a broken stream is retracted', () => {
    const texts = partsOf(recorded('chat-midstream-retry'), 'text').map(part => part.text)
    expect(texts).toEqual(['second attempt.'])
    const lines = [
      prompt(),
      text('one '),
      text('two '),
      chat('m', { content: 'two' }),
      text('three'),
      chat('n', { content: 'three' }),
      done(),
    ]
    expect(partsOf(read(lines), 'text').map(part => part.text)).toEqual(['two ', 'three'])
  })

  it('[P5] text that the file trims, or does not have, stays as it was', () => {
    const lines = [
      prompt(),
      text('one. '),
      chat('m', { content: 'one.' }),
      text('two'),
      chat('n', { content: 'something else' }),
      done(),
    ]
    expect(partsOf(read(lines), 'text').map(part => part.text)).toEqual(['one. ', 'two'])
  })

  it('[P5] adds a thought that ACP did not send, and none twice', () => {
    const thought = (words: string) =>
      update('agent_thought_chunk', { content: { type: 'text', text: words } })
    const thoughts = [
      { subject: 'A', description: 'a' },
      { subject: 'B', description: 'b' },
    ]
    const lines = [
      prompt(),
      thought('**A**\na'),
      chat('m', { content: '', thoughts }),
      chat('m', { content: '', thoughts }),
      done(),
    ]
    expect(partsOf(read(lines), 'reasoning').map(part => part.text)).toEqual(['**A**\na', '**B**\nb'])
  })

  it('[P7] has the cache reads; a repeated message counts once', () => {
    const tokens = { input: 100, output: 5, cached: 80, thoughts: 7, total: 112 }
    const line = chat('m', { content: '', tokens })
    const [usage] = partsOf(
      read([prompt(), line, line, chat('n', { content: '', tokens }), done()]),
      'data-usage',
    )
    expect(usage?.data.tokens).toEqual({ input: 40, output: 24, cacheRead: 160, cacheWrite: 0 })
  })

  it('[P7] an answer has the same usage live and imported', () => {
    const tokens = { input: 100, output: 5, cached: 80, thoughts: 7, total: 112 }
    const line = chat('m', { content: 'Hi', tokens })
    const [live] = partsOf(read([prompt(), text('Hi'), line, done()]), 'data-usage')
    const asked = chat('u', { type: 'user', content: 'Go' })
    let state = initialTranscript('c' as ConnectionId)
    const chunks = [header, asked, line].flatMap(each => {
      const [next, made] = translateTranscript(state, each)
      state = next
      return made
    })
    const [imported] = chunks.flatMap(({ chunk }) => (chunk.type === 'data-usage' ? [chunk.data.tokens] : []))
    expect(live?.data.tokens).toEqual(imported)
  })

  it('[P9] earlier lines of the file give nothing', () => {
    const old = chat('old', {
      content: 'Old.',
      thoughts: [{ subject: 'Old', description: 'old' }],
      toolCalls: kept('success', {}),
    })
    const patch = theirs({ $set: { messages: [{ id: 'older' }] } })
    const { messages } = read([
      old,
      patch,
      prompt(),
      old,
      chat('older', { thoughts: [{ subject: 'x' }] }),
      text('New.'),
      done(),
    ])
    expect(messages.flatMap(({ message }) => message.parts.map(({ type }) => type))).toEqual([
      'data-session',
      'step-start',
      'text',
    ])
  })

  it('[A3] notices are shown, and unknown kinds are shown as they are', () => {
    const lines = [
      prompt(),
      chat('i', { type: 'info', content: 'Mind this.' }),
      chat('z', { type: 'brand-new' }),
      done(),
    ]
    expect(partsOf(read(lines), 'data-notice')).toMatchObject([{ data: { message: 'Mind this.' } }])
    expect(partsOf(read(lines), 'data-unknown')).toMatchObject([{ data: { kind: 'chat brand-new' } }])
  })

  it('[A7] a refused call has the text of the file', () => {
    const [refused] = partsOf(recorded('chat-shell-deny'), 'dynamic-tool')
    expect(refused).toMatchObject({ toolName: 'run_shell_command', state: 'output-error' })
  })
})
