import { expect, it } from 'vitest'
import type { Chunk } from '../../../protocol/chunk.ts'
import type { ConnectionId } from '../../../protocol/ids.ts'
import type { Json } from '../../../protocol/json.ts'
import { assertWellFormed } from '../../../protocol/well-formed.ts'
import { endOf, textIn } from '../harness.fixture.ts'
import { initial, translate } from '../translate.ts'

/** The chunks of one answer of Gemini, from the events of its stream. */
function answer(...events: readonly Json[]): readonly Chunk[] {
  let state = initial('c' as ConnectionId)
  const chunks = events.flatMap(event => {
    const [next, made] = translate(state, { from: 'agent', text: `data: ${JSON.stringify(event)}` })
    state = next
    return made
  })
  assertWellFormed(chunks)
  return chunks.map(({ chunk }) => chunk)
}

const parts = (...content: readonly Json[]): Json => ({ candidates: [{ content: { parts: content } }] })
const stop: Json = { candidates: [{ finishReason: 'STOP' }] }

function only<Type extends Chunk['type']>(chunks: readonly Chunk[], type: Type) {
  return chunks.filter((chunk): chunk is Extract<Chunk, { type: Type }> => chunk.type === type)
}

it('[P2] an image that Gemini draws is a file between the texts around it', () => {
  const picture = { inlineData: { mimeType: 'image/png', data: 'AAEC' } }
  const chunks = answer(parts({ text: 'Here:' }), parts(picture), parts({ text: 'Done.' }), stop)
  expect(only(chunks, 'file')).toMatchObject([{ url: 'data:image/png;base64,AAEC', mediaType: 'image/png' }])
  expect(only(chunks, 'text-start')).toHaveLength(2)
  expect(textIn(chunks)).toBe('Here:Done.')
})

it('[P3] code that Gemini runs is a separate call, with its result or its error', () => {
  const code = { language: 'PYTHON', code: 'print(1)' }
  const run = (codeExecutionResult: Json) =>
    answer(parts({ executableCode: code }), parts({ codeExecutionResult }), parts({ text: 'So.' }), stop)
  const fine = run({ outcome: 'OUTCOME_OK', output: '1\n' })
  const [call] = only(fine, 'tool-input-available')
  expect(call).toMatchObject({ toolName: 'code_execution', input: code, providerExecuted: true })
  expect(only(fine, 'tool-output-available')).toMatchObject([
    { toolCallId: call?.toolCallId, output: { output: '1\n' } },
  ])
  const failed = run({ outcome: 'OUTCOME_FAILED', output: 'NameError' })
  expect(only(failed, 'tool-output-available')).toEqual([])
  expect(only(failed, 'tool-output-error')).toMatchObject([
    { errorText: expect.stringContaining('NameError') },
  ])
  expect(endOf(failed)).toMatchObject({ reason: 'finished', finishReason: 'stop' })
})

it('[P2] web pages that an answer relies on are its sources; those without an address are not', () => {
  const groundingChunks = [
    { web: { uri: 'https://example.com/a', title: 'A' } },
    { web: { uri: 'https://example.com/b' } },
    { retrievedContext: { text: 'x' } },
  ]
  const chunks = answer(parts({ text: 'It is so.' }), {
    candidates: [{ finishReason: 'STOP', groundingMetadata: { groundingChunks } }],
  })
  const sources = only(chunks, 'source-url')
  expect(sources.map(({ url }) => url)).toEqual(['https://example.com/a', 'https://example.com/b'])
  expect(sources[0]?.title).toBe('A')
})

it('[P7] an error in the middle of the stream ends the answer as failed, with its kind and message', () => {
  const error = { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' }
  const chunks = answer(parts({ text: 'Half an' }), { error })
  expect(textIn(chunks)).toBe('Half an')
  expect(endOf(chunks)).toMatchObject({ reason: 'failed' })
  expect(JSON.stringify(chunks)).toContain('The model is overloaded.')
})

it.each([
  [{ candidates: [{ finishReason: 'MAX_TOKENS' }] }, 'length'],
  [{ candidates: [{ finishReason: 'SAFETY' }] }, 'content-filter'],
  [{ candidates: [], promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'content-filter'],
  [{ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }, 'other'],
])('[P7] an answer that was cut off or blocked shows it: %j', (event, finishReason) => {
  expect(endOf(answer(parts({ text: 'Once' }), event))).toMatchObject({ finishReason })
})

it('[A3] a part of an unknown kind is kept, an empty one is not shown, and the answer continues', () => {
  const chunks = answer(
    parts({ text: 'Hello ' }),
    parts({ hologram: { size: 3 } }, {}),
    parts({ text: 'you.' }),
    stop,
  )
  expect(textIn(chunks)).toBe('Hello you.')
  expect(only(chunks, 'data-unknown')).toMatchObject([
    { data: { kind: expect.stringContaining('hologram'), native: { hologram: { size: 3 } } } },
  ])
})
