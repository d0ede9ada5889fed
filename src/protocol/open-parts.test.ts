import { describe, expect, it } from 'vitest'
import type { Chunk, Thread, ThreadChunk } from './chunk.ts'
import type { DataParts } from './data-parts.ts'
import type { Json } from './json.ts'
import { openParts, type OpenParts } from './open-parts.ts'
import { ruleOffer } from './rule-scope.ts'
import { assertWellFormed } from './well-formed.ts'

const tool = { dynamic: true, providerExecuted: true }
const subagent = (status: DataParts['subagent']['status'], id: string): Chunk => ({
  type: 'data-subagent',
  id,
  data: {
    agent: 'helper',
    description: 'look',
    status,
    toolCalls: 0,
    tokens: null,
    cost: null,
    lastWords: null,
  },
})
const callOf = (toolCallId: string): Chunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'Read',
  input: {},
  ...tool,
})

const said = (thread: Thread, ...chunks: readonly Chunk[]): readonly ThreadChunk[] =>
  chunks.map(chunk => ({ thread, chunk }))
const after = (chunks: readonly ThreadChunk[]): OpenParts => chunks.reduce(openParts.apply, openParts.initial)

/** Closes what the chunks left open, checks that the whole is well formed, and gives the closing chunks. */
function closing(chunks: readonly ThreadChunk[], reason: 'interrupted' | 'failed' = 'interrupted') {
  const rest = openParts.closeAll(after(chunks), { errorText: 'The agent ended.', reason })
  assertWellFormed([...chunks, ...rest])
  return rest
}
const chunksOf = (rest: readonly ThreadChunk[]) => rest.map(({ chunk }) => chunk)

const start: Chunk = { type: 'start', messageId: 'm1' }
const finish: Chunk = { type: 'finish', finishReason: 'stop' }
const words: readonly Chunk[] = [
  start,
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hel' },
  { type: 'reasoning-start', id: 'r' },
]

describe('open parts', () => {
  it('[P2] closes text, reasoning, step and message of an interrupted answer without the finish reason stop', () => {
    expect(chunksOf(closing(said(null, ...words)))).toEqual([
      { type: 'text-end', id: 't' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'other', messageMetadata: { reason: 'interrupted' } },
    ])
  })

  it('[P7] reports the error of a failed answer before it finishes', () => {
    expect(chunksOf(closing(said(null, start), 'failed'))).toEqual([
      { type: 'message-metadata', messageMetadata: { reason: 'failed' } },
      { type: 'error', errorText: 'The agent ended.' },
      { type: 'finish', finishReason: 'error', messageMetadata: { reason: 'failed' } },
    ])
  })

  it('[P3] gives a half-streamed call an input error and a whole one an output error', () => {
    const chunks = said(
      null,
      start,
      { type: 'tool-input-start', toolCallId: 'half', toolName: 'Write', ...tool },
      { type: 'tool-input-delta', toolCallId: 'half', inputTextDelta: '{"pa' },
      callOf('whole'),
      { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'whole' },
      callOf('done'),
      { type: 'tool-output-available', toolCallId: 'done', output: null, ...tool },
    )
    const offer = ruleOffer({ toolName: 'Read', input: {} })
    expect(after(chunks).messages[0]?.calls).toEqual([
      { toolCallId: 'half', toolName: 'Write', streamed: '{"pa', offer: null, asked: [] },
      { toolCallId: 'whole', toolName: 'Read', streamed: null, offer, asked: [{ approval: 'a1', offer }] },
    ])
    const errorText = 'The agent ended.'
    expect(chunksOf(closing(chunks)).slice(0, 2)).toEqual([
      { type: 'tool-input-error', toolCallId: 'half', toolName: 'Write', input: '{"pa', errorText, ...tool },
      { type: 'tool-output-error', toolCallId: 'whole', errorText, ...tool },
    ])
  })

  it('[S10] details of an approval never hide a key of the input from a rule', () => {
    const offer = (input: Json, compared: Json) =>
      ruleOffer({ toolName: 'mcp__fs__x', input, providerMetadata: { dragoman: { compared } } })
    expect(offer({ path: '/b' }, { blocked_path: '/a' }).rule?.input).toEqual({
      path: '/b',
      blocked_path: '/a',
    })
    expect(offer({ blocked_path: '/evil' }, { blocked_path: '/a' })).toMatchObject({ rule: null })
  })

  it('[S10] details of an approval are compared next to the input, and make no rule without one', () => {
    const offer = (input: Json, compared: Json) =>
      ruleOffer({ toolName: 'Bash', input, providerMetadata: { dragoman: { compared } } }).rule
    const shown = { title: 'npm test', kind: 'execute' }
    for (const input of ['npm test', ['npm', 'test'], 5, true]) {
      expect(offer(input, {})).toEqual({ tool: 'Bash', input })
      expect(offer(input, { shown })).toBeNull()
    }
    expect(offer({ description: 'Runs the tests' }, { shown })).toBeNull()
  })

  it('[P4] closes the innermost threads first and marks their subagents', () => {
    const chunks = [
      ...said(null, start, callOf('outer'), subagent('running', 'outer')),
      ...said('outer', { type: 'start', messageId: 'm2' }, callOf('inner'), subagent('running', 'inner')),
      ...said('inner', { type: 'start', messageId: 'm3' }, { type: 'text-start', id: 't' }),
    ]
    const rest = closing(chunks, 'failed')
    expect(rest.filter(({ chunk }) => chunk.type === 'finish').map(({ thread }) => thread)).toEqual([
      'inner',
      'outer',
      null,
    ])
    expect(rest).toContainEqual({ thread: 'outer', chunk: subagent('failed', 'inner') })
    expect(rest).toContainEqual({ thread: null, chunk: subagent('failed', 'outer') })
    expect(closing(chunks)).toContainEqual({ thread: null, chunk: subagent('stopped', 'outer') })
  })

  it('[P3] re-opens a finished message to close the call that it left without a result', () => {
    const chunks = said(null, start, callOf('c'), finish, { type: 'start', messageId: 'm2' })
    expect(chunksOf(closing(chunks))).toEqual([
      { type: 'finish', finishReason: 'other', messageMetadata: { reason: 'interrupted' } },
      { type: 'start', messageId: 'm1' },
      { type: 'tool-output-error', toolCallId: 'c', errorText: 'The agent ended.', ...tool },
      { type: 'finish', finishReason: 'other' },
    ])
  })

  it('[R4] holds only open parts, and keeps the object when nothing changed', () => {
    let open = after(said(null, start, { type: 'start-step' }, { type: 'text-start', id: 't' }))
    const before = open
    const rest = said(
      null,
      { type: 'text-delta', id: 't', delta: 'x' },
      { type: 'message-metadata', messageMetadata: {} },
    )
    for (const each of rest) open = openParts.apply(open, each)
    expect(open).toBe(before)
    for (let at = 0; at < 1_000; at += 1) {
      const id = `c${at}`
      const output: Chunk = { type: 'tool-output-available', toolCallId: id, output: null, ...tool }
      for (const each of said(null, callOf(id), output)) open = openParts.apply(open, each)
    }
    expect(open).toEqual(before)
    expect(openParts.apply(open, { thread: null, chunk: finish })).toEqual(openParts.initial)
  })

  it('[R2] ignores chunks outside of any message', () => {
    expect(after(said(null, callOf('c'), finish, { type: 'text-end', id: 't' }))).toEqual(openParts.initial)
  })

  it('[P3] the partial output of a call stays, before the reason of its end', () => {
    const shown = (output: Json): Chunk => ({
      type: 'tool-output-available',
      toolCallId: 'c',
      output,
      preliminary: true,
      ...tool,
    })
    const errorOf = (...outputs: readonly Json[]) => {
      const rest = closing(said(null, start, { type: 'start-step' }, callOf('c'), ...outputs.map(shown)))
      return chunksOf(rest).flatMap(chunk => (chunk.type === 'tool-output-error' ? [chunk.errorText] : []))
    }
    expect(errorOf('one', 'one\ntwo\n')).toEqual(['one\ntwo\nThe agent ended.'])
    expect(errorOf({ output: 'mid', status: 'inProgress' })).toEqual(['mid\nThe agent ended.'])
    expect(errorOf({ steps: [1, 2] })).toEqual(['{"steps":[1,2]}\nThe agent ended.'])
    for (const nothing of [null, '', {}, { output: '', status: 'inProgress' }])
      expect(errorOf(nothing)).toEqual(['The agent ended.'])
  })
})
