import { describe, expect, it } from 'vitest'
import type { Chunk, Thread, ThreadChunk } from './chunk.ts'
import type { Rule } from './chunk-checks.ts'
import { assertWellFormed, findMalformed } from './well-formed.ts'

const tool = { dynamic: true, providerExecuted: true }
const start: Chunk = { type: 'start', messageId: 'm1' }
const step: Chunk = { type: 'start-step' }
const endStep: Chunk = { type: 'finish-step' }
const finish: Chunk = { type: 'finish', finishReason: 'stop' }
const text: Chunk = { type: 'text-start', id: 't' }
const textEnd: Chunk = { type: 'text-end', id: 't' }
const begun: Chunk = { type: 'tool-input-start', toolCallId: 'c', toolName: 'Read', ...tool }
const input: Chunk = { type: 'tool-input-available', toolCallId: 'c', toolName: 'Read', input: {}, ...tool }
const output: Chunk = { type: 'tool-output-available', toolCallId: 'c', output: null, ...tool }
const ask: Chunk = { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }
const broken: Chunk = {
  type: 'tool-input-error',
  toolCallId: 'c',
  toolName: 'Read',
  input: null,
  errorText: 'no',
  ...tool,
}
const error: Chunk = { type: 'error', errorText: 'no' }
const data = {
  agent: 'a',
  description: 'd',
  status: 'running',
  toolCalls: 0,
  tokens: null,
  cost: null,
  lastWords: null,
} as const
const subagent: Chunk = { type: 'data-subagent', id: 'c', data }
const retracted = (ids: readonly string[], indexes: readonly number[]): Chunk => ({
  type: 'data-retracted',
  data: { ids, indexes },
})
/** A chunk that its type forbids, as a careless translator might make it. */
const wrong = (chunk: Readonly<Record<string, unknown>>) => chunk as unknown as Chunk

const inMain = (chunks: readonly Chunk[]): readonly ThreadChunk[] => inThread(null, chunks)
const inThread = (thread: Thread, chunks: readonly Chunk[]): readonly ThreadChunk[] =>
  chunks.map(chunk => ({ thread, chunk }))

const good: Readonly<Record<string, readonly Chunk[]>> = {
  'a whole answer': [start, step, text, textEnd, begun, input, ask, input, output, endStep, finish],
  'no steps at all': [start, text, textEnd, input, output, finish],
  'a call without a result, which comes late': [start, step, input, endStep, finish, start, output, finish],
  'a preliminary output': [
    start,
    input,
    { type: 'tool-output-available', toolCallId: 'c', output: 1, preliminary: true, ...tool },
    output,
    finish,
  ],
  'words taken back': [
    start,
    step,
    text,
    textEnd,
    begun,
    broken,
    retracted(['t', 'c'], [1, 2]),
    endStep,
    finish,
  ],
  'a failed answer': [start, error, { type: 'finish', finishReason: 'error' }],
}

const bad: readonly (readonly [rule: Rule, what: string, chunks: readonly Chunk[]])[] = [
  [1, 'a chunk before start', [text]],
  [1, 'a chunk after finish', [start, finish, text]],
  [1, 'no finish', [start]],
  [1, 'two messages at once', [start, { type: 'start', messageId: 'm2' }, finish]],
  [1, 'no messageId', [wrong({ type: 'start' })]],
  [1, 'stop after an error', [start, error, finish]],
  [
    1,
    'stop of an interrupted answer',
    [start, { type: 'finish', finishReason: 'stop', messageMetadata: { reason: 'interrupted' } }],
  ],
  [2, 'a delta without a start', [start, { type: 'text-delta', id: 't', delta: '' }, finish]],
  [2, 'an end without a start', [start, textEnd, finish]],
  [2, 'a part id used twice', [start, text, textEnd, text, textEnd, finish]],
  [
    2,
    'a part id used twice in a message re-opened',
    [start, text, textEnd, finish, start, text, textEnd, finish],
  ],
  [2, 'a part open at finish-step', [start, step, text, endStep, textEnd, finish]],
  [2, 'a part open at finish', [start, text, finish]],
  [2, 'a part open at error', [start, text, error, { type: 'finish', finishReason: 'error' }]],
  [2, 'a part open at abort', [start, text, { type: 'abort' }, textEnd, finish]],
  [2, 'an input half streamed at finish', [start, begun, finish]],
  [2, 'a step in a step', [start, step, step, endStep, finish]],
  [2, 'a step never begun', [start, endStep, finish]],
  [2, 'a step never ended', [start, step, finish]],
  [2, 'a call begun twice', [start, begun, input, begun, finish]],
  [3, 'a call without its flags', [start, wrong({ ...input, dynamic: undefined }), output, finish]],
  [3, 'an output without its flags', [start, input, wrong({ ...output, providerExecuted: false }), finish]],
  [3, 'an error that makes a second part', [start, begun, wrong({ ...broken, dynamic: undefined }), finish]],
  [3, 'flags where early clients refuse them', [start, input, wrong({ ...ask, dynamic: true }), finish]],
  [3, 'an output for an unknown call', [start, output, finish]],
  [3, 'an output before the input', [start, begun, output, finish]],
  [
    3,
    'an input delta for no stream',
    [start, { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '' }, finish],
  ],
  [3, 'an input repeated in a later step', [start, step, input, endStep, step, input, endStep, finish]],
  [3, 'an input after the output', [start, input, output, input, finish]],
  [4, 'a seventh finish reason', [start, wrong({ type: 'finish', finishReason: 'interrupted' })]],
  [4, 'more after an error', [start, error, step, { type: 'finish', finishReason: 'error' }]],
  [5, 'no input', [start, wrong({ ...input, input: undefined }), finish]],
  [5, 'no output', [start, input, wrong({ ...output, output: undefined }), finish]],
  [5, 'no data', [start, wrong({ type: 'data-todos' }), finish]],
  [8, 'an approval for no call', [start, ask, finish]],
  [8, 'an approval after the result', [start, input, output, ask, finish]],
  [8, 'an approval asked twice', [start, input, ask, ask, finish]],
  [8, 'a denial never asked for', [start, input, { type: 'tool-output-denied', toolCallId: 'c' }, finish]],
  [9, 'an open part taken back', [start, text, retracted(['t'], [0]), textEnd, finish]],
  [9, 'a wrong place', [start, text, textEnd, retracted(['t'], [1]), finish]],
  [9, 'a place missing', [start, text, textEnd, retracted(['t'], []), finish]],
  [10, 'a subagent of no call', [start, subagent, finish]],
]

describe('well-formed', () => {
  for (const [what, chunks] of Object.entries(good))
    it(`[P2] finds nothing wrong with ${what}`, () => {
      expect(findMalformed(inMain(chunks))).toEqual([])
    })

  for (const [rule, what, chunks] of bad)
    it(`[P2] rule ${rule}: finds ${what}`, () => {
      expect(findMalformed(inMain(chunks)).map(found => found.rule)).toContain(rule)
    })

  it('[P4] rule 10: finds a thread that no tool call started', () => {
    const thread = inThread('c', [{ type: 'start', messageId: 'm2' }, finish])
    expect(findMalformed(thread)).toMatchObject([{ index: 0, rule: 10 }])
    expect(
      findMalformed([...inMain([start, input, subagent]), ...thread, ...inMain([output, finish])]),
    ).toEqual([])
  })

  it('[P4] rule 1: finds one message in two threads', () => {
    const chunks = [...inMain([start, input]), ...inThread('c', [start, finish]), ...inMain([finish])]
    expect(findMalformed(chunks).map(({ rule }) => rule)).toContain(1)
  })

  it('[P2] names chunk, thread and rule when it throws', () => {
    expect(() => assertWellFormed(inMain([start, text, finish]))).toThrow(
      /chunk 2 \(finish in thread main\) breaks rule 2: part t is still open/,
    )
    expect(() => assertWellFormed(inMain([start]))).toThrow(/end of stream/)
  })
})
