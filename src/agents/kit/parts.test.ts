import { describe, expect, it } from 'vitest'
import type { Chunk, Thread, ThreadChunk } from '../../protocol/chunk.ts'
import { openParts } from '../../protocol/open-parts.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { build, initialParts, type Op, type Parts } from './parts.ts'

interface Deed {
  readonly thread?: Thread
  readonly ops: readonly Op[]
}

/** Applies ops one by one, and checks that the closed stream is well formed. */
function play(deeds: readonly Deed[]): readonly ThreadChunk[] {
  const chunks: ThreadChunk[] = []
  let parts: Parts = initialParts('test', 'c')
  let open = openParts.initial
  for (const { thread, ops } of deeds) {
    const [next, added] = build(parts, ops, thread)
    parts = next
    chunks.push(...added)
    for (const each of added) open = openParts.apply(open, each)
  }
  assertWellFormed([...chunks, ...openParts.closeAll(open, { errorText: 'gone', reason: 'interrupted' })])
  return chunks
}

const main = (ops: readonly Op[]): readonly Chunk[] =>
  play(ops.map(op => ({ ops: [op] }))).map(({ chunk }) => chunk)
const types = (chunks: readonly Chunk[]) => chunks.map(({ type }) => type)

const tool = { dynamic: true, providerExecuted: true }
const notice: Op = {
  type: 'show',
  chunk: { type: 'data-notice', data: { level: 'info', code: 'x', message: 'y' } },
}
const finish: Op = { type: 'finish', reason: 'finished' }
const ready = (call: string, name = 'Read'): Op => ({ type: 'call-ready', call, tool: name, input: {} })
describe('parts', () => {
  it('[S10] an approval for a call of an earlier answer does not wait for the end of the open answer', () => {
    const ask: Op = { type: 'ask', call: 'a', approval: 'q' }
    const chunks = main([ready('a'), finish, { type: 'begin' }, ask])
    expect(chunks.at(-1)).toEqual({ type: 'tool-approval-request', approvalId: 'q', toolCallId: 'a.q' })
    const inTime = main([ready('a'), ask])
    expect(inTime.at(-1)).toMatchObject({ toolCallId: 'a' })
  })

  it('[S12] of thousands of calls at once, only the first wait; others are shown with their result or approval', () => {
    const calls = Array.from({ length: 3_000 }, (_, at) => ready(`c${at}`))
    const result: Op = { type: 'result', call: 'c2000', output: 'late' }
    const question = { input: { command: 'ls' }, about: { tool: 'Bash' } }
    const ask: Op = { type: 'ask', call: 'c2001', approval: 'q', ...question }
    const chunks = main([...calls, result, ask])
    const shown = chunks.flatMap(chunk => (chunk.type === 'tool-input-available' ? [chunk.toolCallId] : []))
    expect(shown.slice(0, 500)).toEqual(calls.slice(0, 500).map(op => 'call' in op && op.call))
    expect(shown[500]).toBe('c2000')
    expect(chunks.filter(({ type }) => type === 'data-notice')).toHaveLength(1)
    const asked = chunks.findLast(({ type }) => type === 'tool-approval-request')
    const about = asked?.type === 'tool-approval-request' ? asked.toolCallId : ''
    const input = chunks.findLast(
      chunk => chunk.type === 'tool-input-available' && chunk.toolCallId === about,
    )
    expect(input).toMatchObject({ toolName: 'Bash', input: { command: 'ls' } })
  })

  it('[R2] a call with an unreadable result ends; other waiting calls and subagents keep waiting', () => {
    const unread: Op = {
      type: 'unread',
      chunk: { type: 'data-notice', data: { level: 'warning', code: 'line-too-long', message: 'y' } },
      beginning: '{"result":"one","of":"task","not":"\\"two\\"","content":"xxxx',
    }
    const chunks = play([
      { ops: [ready('task', 'Task'), ready('one'), ready('two')] },
      { thread: 'task', ops: [ready('inner')] },
      { ops: [unread] },
      { ops: [{ type: 'result', call: 'one', output: 'after all' }] },
    ]).map(({ chunk }) => chunk)
    const outcomes = chunks.filter(({ type }) => type.startsWith('tool-output'))
    expect(outcomes).toEqual([
      {
        type: 'tool-output-error',
        toolCallId: 'one',
        ...tool,
        errorText: 'What it gave is too long to show here. The line that has it is kept whole.',
      },
      { type: 'tool-output-available', toolCallId: 'one', ...tool, output: 'after all' },
    ])
    expect(chunks.filter(({ type }) => type === 'data-notice')).toHaveLength(1)
  })

  it('[P7] starts with the session and finishes with cost, tokens, duration and reason', () => {
    const tokens = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }
    const chunks = main([
      { type: 'session', data: { agentSession: 's1', model: 'm', cwd: '/' } },
      { type: 'begin' },
      { type: 'finish', reason: 'finished', cost: 0.5, tokens, duration: 12 },
    ])
    expect(chunks).toEqual([
      {
        type: 'start',
        messageId: 'c.1',
        messageMetadata: { agent: 'test', agentSession: 's1', model: 'm' },
      },
      {
        type: 'data-session',
        id: 'session',
        data: { agent: 'test', agentSession: 's1', model: 'm', cwd: '/' },
      },
      {
        type: 'finish',
        finishReason: 'stop',
        messageMetadata: { reason: 'finished', cost: 0.5, tokens, duration: 12 },
      },
    ])
  })

  it('[P7] a failed answer has the kind and the sentence of its error', () => {
    const error = { kind: 'overloaded', message: 'Try later.' }
    const chunks = main([{ type: 'finish', reason: 'failed', error }])
    expect(types(chunks)).toEqual(['start', 'message-metadata', 'error', 'finish'])
    expect(chunks.at(-1)).toMatchObject({
      finishReason: 'error',
      messageMetadata: { reason: 'failed', error },
    })
  })

  it('[P7] the stored message of an incomplete answer has the reason', () => {
    const ends = (finishReason: 'length' | 'content-filter' | 'other') =>
      main([{ type: 'finish', reason: 'finished', finishReason }]).at(-1)
    for (const finishReason of ['length', 'content-filter'] as const)
      expect(ends(finishReason)).toMatchObject({ finishReason, messageMetadata: { finishReason } })
    expect(ends('other')).toEqual({
      type: 'finish',
      finishReason: 'other',
      messageMetadata: { reason: 'finished' },
    })
  })

  it('[P2] the final input of a call replaces the streamed one, within its step only', () => {
    const call: readonly Op[] = [
      { type: 'call', call: 'c1', tool: 'Edit' },
      { type: 'call-input', call: 'c1', delta: '{"a":1}' },
      { type: 'call-ready', call: 'c1', tool: 'Edit', input: { a: 1 } },
      { type: 'call-ready', call: 'c1', tool: 'Edit', input: { a: 1 } },
    ]
    const changed: Op = { type: 'call-ready', call: 'c1', tool: 'Edit', input: { a: 2 } }
    const inputs = (chunks: readonly Chunk[]) =>
      chunks.flatMap(chunk => (chunk.type === 'tool-input-available' ? [chunk.input] : []))
    expect(inputs(main([...call, changed]))).toEqual([{ a: 1 }, { a: 2 }])
    expect(inputs(main([...call, { type: 'step-end' }, changed]))).toEqual([{ a: 1 }])
  })

  it('[P3] keeps results for unknown calls, and flags them', () => {
    const [, , available, result] = main([{ type: 'result', call: 'lost', output: 7 }])
    expect(available).toEqual({
      type: 'tool-input-available',
      toolCallId: 'lost',
      toolName: 'unknown',
      input: null,
      providerMetadata: { dragoman: { unknownCall: true } },
      ...tool,
    })
    expect(result).toMatchObject({ type: 'tool-output-available', toolCallId: 'lost', output: 7 })
  })

  it('[P3] a late result re-opens its message', () => {
    const chunks = main([ready('c1'), finish, { type: 'result', call: 'c1', output: 1 }])
    expect(chunks.slice(-3)).toEqual([
      { type: 'start', messageId: 'c.1' },
      { type: 'tool-output-available', toolCallId: 'c1', output: 1, ...tool },
      { type: 'finish', finishReason: 'stop' },
    ])
  })

  it('[P3] a late result goes to its message, also if newer messages follow', () => {
    const next: Op = { type: 'text', key: 'a', delta: 'Next' }
    const chunks = main([ready('c1'), finish, next, finish, { type: 'result', call: 'c1', output: 1 }])
    expect(chunks.slice(-3)).toMatchObject([
      { type: 'start', messageId: 'c.1' },
      { type: 'tool-output-available', toolCallId: 'c1' },
      { type: 'finish', finishReason: 'stop' },
    ])
  })

  it('[P3] a late result waits for the end of the message that is open', () => {
    const chunks = main([
      ready('c1'),
      finish,
      { type: 'text', key: 'a', delta: 'Next' },
      { type: 'result', call: 'c1', output: 1 },
      { type: 'text', key: 'a', delta: ' one' },
      finish,
    ])
    expect(types(chunks).slice(-7)).toEqual([
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
      'start',
      'tool-output-available',
      'finish',
    ])
  })

  it('[P3] a call without a result gets an error if the answer fails or is interrupted', () => {
    const chunks = main([ready('c1'), { type: 'finish', reason: 'interrupted' }])
    expect(types(chunks)).toContain('tool-output-error')
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'other', messageMetadata: { reason: 'interrupted' } })
    expect(types(main([ready('c1'), finish]))).not.toContain('tool-output-error')
  })

  it('[P2] retracts text and calls: closes them, and reports their ids and positions', () => {
    const chunks = main([
      { type: 'text', key: 'a', delta: 'Wrong' },
      { type: 'call', call: 'c1', tool: 'Write' },
      { type: 'call-input', call: 'c1', delta: '{"pa' },
      ready('c2'),
      { type: 'retract', keys: ['a', 'c1', 'c2', 'nothing'] },
      { type: 'text', key: 'a', delta: 'Right' },
    ])
    expect(types(chunks).slice(-6)).toEqual([
      'text-end',
      'tool-input-error',
      'tool-output-error',
      'data-retracted',
      'text-start',
      'text-delta',
    ])
    expect(chunks).toContainEqual({
      type: 'data-retracted',
      data: { ids: ['p1', 'c1', 'c2'], indexes: [1, 2, 3] },
    })
  })

  it('[P4] shows a subagent in its parent, counts its calls, and ends its thread with it', () => {
    const chunks = play([
      { ops: [ready('outer', 'Task')] },
      { thread: 'outer', ops: [ready('inner', 'Task')] },
      { thread: 'inner', ops: [{ type: 'text', key: 'a', delta: 'Found it.' }] },
      { thread: 'outer', ops: [{ type: 'subagent', call: 'inner', news: { status: 'completed' } }] },
      { ops: [{ type: 'subagent', call: 'outer', news: { status: 'completed', cost: 1 } }, finish] },
    ])
    const shown = chunks.flatMap(({ thread, chunk }) =>
      chunk.type === 'data-subagent' ? [[thread, chunk.id, chunk.data.status, chunk.data.toolCalls]] : [],
    )
    expect(shown).toEqual([
      [null, 'outer', 'running', 0],
      [null, 'outer', 'running', 1],
      ['outer', 'inner', 'running', 0],
      ['outer', 'inner', 'completed', 0],
      [null, 'outer', 'completed', 1],
    ])
    expect(chunks).toContainEqual({
      thread: 'outer',
      chunk: {
        type: 'data-subagent',
        id: 'inner',
        data: expect.objectContaining({ lastWords: 'Found it.' }) as never,
      },
    })
    expect(chunks.filter(({ chunk }) => chunk.type === 'finish').map(({ thread }) => thread)).toEqual([
      'inner',
      'outer',
      null,
    ])
  })

  it('[P4] puts the output of an unknown subagent under a flagged call', () => {
    const chunks = play([{ thread: 'stray', ops: [{ type: 'text', key: 'a', delta: 'Hi' }] }])
    expect(chunks.map(({ thread, chunk }) => `${thread ?? 'main'} ${chunk.type}`)).toEqual([
      'main start',
      'main start-step',
      'main tool-input-available',
      'main data-subagent',
      'main finish-step',
      'main finish',
      'stray start',
      'stray start-step',
      'stray text-start',
      'stray text-delta',
    ])
  })

  it('[A3] shows data outside of any answer in the last message, or in a new one', () => {
    const own = main([notice])
    expect(types(own)).toEqual(['start', 'data-notice', 'finish'])
    const last = main([{ type: 'text', key: 'a', delta: 'Hi' }, finish, notice])
    expect(last.slice(-3)).toEqual([
      { type: 'start', messageId: 'c.1' },
      notice.type === 'show' ? notice.chunk : notice,
      { type: 'finish', finishReason: 'stop' },
    ])
  })

  it('[P5] repeats a call when its name, title or facts become known, and not if nothing is new', () => {
    const call = { type: 'call-ready', call: 'c', tool: 'execute', input: { a: 1 } } as const
    const providerMetadata = { agent: { kind: 'x' } }
    const ops: readonly Op[] = [
      call,
      { ...call, title: 'ls' },
      call,
      { ...call, tool: 'Bash' },
      { ...call, tool: 'Bash', providerMetadata },
      { ...call, tool: 'Bash', title: 'ls', providerMetadata },
      { type: 'result', call: 'c', output: 1 },
      { type: 'finish', reason: 'finished', metadata: { agent: { stopReason: 'x' } } },
    ]
    const [, all] = build(initialParts('test', 'c'), ops)
    assertWellFormed(all)
    const chunks = all.map(({ chunk }) => chunk)
    const inputs = chunks.filter(({ type }) => type === 'tool-input-available')
    expect(inputs).toMatchObject([
      { toolName: 'execute' },
      { toolName: 'execute', title: 'ls' },
      { toolName: 'Bash' },
      { toolName: 'Bash', providerMetadata },
    ])
    expect(chunks.at(-1)).toMatchObject({
      messageMetadata: { reason: 'finished', agent: { stopReason: 'x' } },
    })
  })

  it('[P3] the output of a failed call so far is part of its error, and is not repeated', () => {
    const shown: Op = { type: 'result', call: 'c', output: { output: 'one\n' }, preliminary: true }
    const errorsOf = (...ops: readonly Op[]) =>
      main([ready('c'), shown, ...ops]).flatMap(chunk =>
        chunk.type === 'tool-output-error' ? [chunk.errorText] : [],
      )
    expect(errorsOf({ type: 'finish', reason: 'interrupted' })).toEqual([
      'one\nInterrupted before there was a result.',
    ])
    expect(errorsOf({ type: 'failure', call: 'c', error: 'Aborted.' })).toEqual(['one\nAborted.'])
    expect(errorsOf({ type: 'failure', call: 'c', error: 'one\ntwo\nExit code 1.' })).toEqual([
      'one\ntwo\nExit code 1.',
    ])
    const late: Op = { type: 'failure', call: 'c', error: 'Aborted.' }
    expect(errorsOf({ type: 'finish', reason: 'interrupted' }, late).at(-1)).toBe('one\nAborted.')
  })
})
