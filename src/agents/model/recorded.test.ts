import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Chunk, ThreadChunk } from '../../protocol/chunk.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import { openParts } from '../../protocol/open-parts.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { readRecorded } from './recorded-line.ts'
import { endOf, textIn } from './harness.fixture.ts'
import { initial, translate } from './translate.ts'

/** Third-party recordings, which are read in place and never copied. */
const folder =
  process.env['DRAGOMAN_MODEL_STREAMS'] ??
  join(import.meta.dirname, '../../../../shared/recordings/model-apis')
const isHere = existsSync(folder)
const files = isHere
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      /^(anthropic|openai|google|chat-compatible|responses-compatible)\/.*\.(chunks|sse)\.txt$/.test(name),
    )
  : []
/** Google's other API is not supported. */
const spoken = files.filter(name => !name.includes('interactions/'))

function chunksOf(file: string): readonly ThreadChunk[] {
  let state = initial('c' as ConnectionId)
  let open = openParts.initial
  const found = readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .flatMap(line => {
      const raw = readRecorded(line)
      const [next, chunks] = raw === null ? [state, []] : translate(state, raw)
      state = next
      open = chunks.reduce(openParts.apply, open)
      return chunks
    })
  return [...found, ...openParts.closeAll(open, { errorText: 'It ended.', reason: 'interrupted' })]
}

const main = (file: string): readonly Chunk[] => chunksOf(file).map(({ chunk }) => chunk)
const named = (name: string) => files.find(file => file.endsWith(name)) ?? ''
const callsIn = (chunks: readonly Chunk[]) =>
  chunks.flatMap(chunk => (chunk.type === 'tool-input-available' ? [[chunk.toolName, chunk.input]] : []))

describe.skipIf(!isHere)(`streams of models in ${folder} (skipped where they are missing)`, () => {
  it.each(spoken)('[A9] %s: well formed, the same twice, and an end', file => {
    const chunks = chunksOf(file)
    assertWellFormed(chunks)
    expect(chunksOf(file)).toEqual(chunks)
    expect(chunks.length).toBeGreaterThan(2)
    if (!file.includes('parallel-tool-call-wrapper')) expect(endOf(main(file)).reason).not.toBe('interrupted')
  })

  it('[A9] text, thoughts, calls and usage are found in each API', () => {
    expect(textIn(main(named('anthropic-text.chunks.txt')))).toMatch(/^Hello! I'm doing well/)
    expect(textIn(main(named('anthropic-clear-thinking.1.chunks.txt')), 'reasoning-delta')).not.toBe('')
    expect(callsIn(main(named('anthropic-tool-no-args.chunks.txt')))).toEqual([['updateIssueList', {}]])
    expect(endOf(main(named('anthropic-refusal.chunks.txt'))).finishReason).toBe('content-filter')
    expect(textIn(main(named('openai/chat/openai-text.chunks.txt')))).not.toBe('')
    expect(textIn(main(named('deepseek-reasoning.chunks.txt')), 'reasoning-delta')).toMatch(/^We/)
    expect(callsIn(main(named('mistral-tool-call.chunks.txt')))).toHaveLength(1)
    expect(callsIn(main(named('mistral-incremental-tool-call.chunks.txt')))).toHaveLength(1)
    expect(callsIn(main(named('xai-tool-call.chunks.txt')))).toHaveLength(1)
    expect(textIn(main(named('anthropic-fallback-tool-call.sse.txt')))).toBe('Reading it.')
    expect(callsIn(main(named('google-tool-call-gemini3.chunks.txt')))).toEqual([
      ['weather', { location: 'San Francisco' }],
    ])
    expect(callsIn(main(named('google-stream-tool-call-arguments.chunks.txt')))[0]).toEqual([
      'getWeather',
      expect.objectContaining({ location: expect.stringContaining('Boston') as string }),
    ])
    expect(endOf(main(named('openai-error.1.chunks.txt')))).toMatchObject({ reason: 'failed' })
    const encrypted = main(named('openai-reasoning-encrypted-content.1.chunks.txt'))
    expect(callsIn(encrypted).length).toBeGreaterThan(0)
    expect(
      encrypted.some(chunk => chunk.type === 'reasoning-end' && 'openai' in (chunk.providerMetadata ?? {})),
    ).toBe(true)
    expect(callsIn(main(named('lmstudio-tool-call.1.chunks.txt')))).toHaveLength(1)
  })

  it('[A3] a line that is not JSON is shown, and the rest is read', () => {
    const chunks = main(named('parallel-tool-call-wrapper.1.chunks.txt'))
    expect(chunks.length).toBeGreaterThan(0)
  })
})

describe('a stream alone', () => {
  it('[A9] is read without the loop around it, in each API', () => {
    const lines = [
      '{"type":"message_start","message":{"model":"m","usage":{"input_tokens":2,"output_tokens":1}}}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
      'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}',
      '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}',
      '{"type":"message_stop"}',
      '{"choices":[{"delta":{"content":"Ho"},"finish_reason":"stop"}]}',
      '{"choices":[],"usage":{"prompt_tokens":1}}',
      '{"candidates":[{"content":{"parts":[{"text":"He"}]},"finishReason":"STOP"}]}',
    ]
    let state = initial('c' as ConnectionId)
    const chunks = lines.flatMap(text => {
      const [next, made] = translate(state, { from: 'agent', text })
      state = next
      return made
    })
    assertWellFormed(chunks)
    const found = chunks.map(({ chunk }) => chunk)
    expect(textIn(found)).toBe('HiHoHe')
    expect(found.filter(({ type }) => type === 'finish')).toHaveLength(3)
    expect(found.find(({ type }) => type === 'data-usage')).toMatchObject({
      data: { tokens: { input: 2, output: 5 } },
    })
  })
})
