import { describe, expect, it } from 'vitest'
import {
  begin,
  block,
  chunksOf,
  event,
  inThread,
  line,
  noticesIn,
  only,
  ours,
  recording,
  result,
  results,
  stop,
  textIn,
  whole,
} from './lines.fixture.ts'

/** The numbers refer to the list of measured facts about Claude Code. */
describe('pitfalls of Claude Code: text', () => {
  it('[P5] 1: one message per block, before the block ends, adds nothing; only the stream has the true tokens', () => {
    const chunks = inThread(recording('plain-text'))
    expect(textIn(chunks)).toBe('Hello! I am ready to help with the code in this folder.')
    expect(only(chunks, 'text-start')).toHaveLength(1)
    expect(only(chunks, 'data-usage')[0]?.data.tokens.output).toBe(21)
  })

  it('[P5] 2: thinking appears once, with its signature, streamed or not; its counter is not shown', () => {
    for (const name of ['thinking-text', 'thinking-text-no-partials']) {
      const chunks = inThread(recording(name))
      const thought = only(chunks, 'reasoning-delta').map(({ delta }) => delta)
      expect(thought.join('')).toBe('17 * 23 = 17 * 20 + 17 * 3 = 340 + 51 = 391.')
      const [end] = only(chunks, 'reasoning-end')
      expect(end?.providerMetadata?.['claude-code']).toMatchObject({ signature: 'ZmFrZS1zaWduYXR1cmU=' })
    }
    expect(chunksOf([line({ type: 'system', subtype: 'thinking_tokens', estimated_tokens: 3 })])).toEqual([])
  })

  it('[P5] a whole message that leaves out streamed thinking removes nothing and repeats nothing', () => {
    const chunks = inThread([
      begin('m1'),
      ...block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'Hm.' }),
      stop(0),
      ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'Yes.' }),
      whole('m1', [{ type: 'text', text: 'Yes.' }]),
      stop(1),
      result(),
    ])
    expect(textIn(chunks)).toBe('Yes.')
    expect(only(chunks, 'reasoning-delta')).toHaveLength(1)
    expect(only(chunks, 'data-retracted')).toEqual([])
  })

  it('[P5] 7: the text of a broken stream is retracted, and the second try stays', () => {
    const second = {
      'api-error-midstream': 'Hello, this is the second try.',
      'api-cut-midstream': 'Hello, this is the second try.',
    }
    for (const [name, text] of Object.entries(second)) {
      const chunks = inThread(recording(name))
      expect(only(chunks, 'data-retracted')).toHaveLength(1)
      expect(textIn(chunks)).toBe(`Hello, this answer will be cut${text}`)
    }
    expect(only(inThread(recording('api-error-mid-thinking')), 'data-retracted')[0]?.data.ids).toEqual(['p2'])
  })

  it('[P5] 7: an incomplete call of a broken stream is retracted, and finished parts before it stay', () => {
    const chunks = inThread([
      begin('m1'),
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'First.' }),
      whole('m1', [{ type: 'text', text: 'First.' }]),
      stop(0),
      ...block(
        1,
        { type: 'tool_use', id: 'c1', name: 'Bash', input: {} },
        { type: 'input_json_delta', partial_json: '{"com' },
      ),
      event({ type: 'message_stop' }, { abandoned_blocks: { api_message_id: 'm1', from_block_index: 1 } }),
      results([{ type: 'text', text: 'Your answer was cut off mid-stream.' }], { isSynthetic: true }),
      begin('m2'),
      ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Second.' }),
      result(),
    ])
    expect(only(chunks, 'data-retracted')[0]?.data.ids).toEqual(['c1'])
    expect(only(chunks, 'tool-input-error')).toHaveLength(1)
    expect(textIn(chunks)).toBe('First.Second.')
    expect(noticesIn(chunks)).toEqual([['reminder', 'Your answer was cut off mid-stream.']])
  })

  it('[P5] 7: an answer that was not streamed reports its tokens once, not once per block', () => {
    const [last] = only(inThread(recording('api-error-midstream-multi')), 'data-usage').slice(-2)
    expect(last?.data.tokens).toEqual({ input: 3006, output: 72, cacheRead: 0, cacheWrite: 0 })
  })

  it('[P5] a message that supersedes earlier ones retracts their text', () => {
    const chunks = inThread([
      whole('m1', [{ type: 'text', text: 'No.' }], { uuid: 'u1' }),
      whole('m2', [{ type: 'text', text: 'Yes.' }], { uuid: 'u2', supersedes: ['u1', 'never seen'] }),
      line({
        type: 'system',
        subtype: 'model_refusal_fallback',
        retracted_message_uuids: ['u2'],
        content: 'It refused.',
      }),
      result(),
    ])
    expect(only(chunks, 'data-retracted')).toHaveLength(2)
    expect(noticesIn(chunks)).toEqual([['refusal', 'It refused.']])
  })

  it('[J5] 18: a repeated message of the same uuid adds nothing', () => {
    const message = whole('m1', [{ type: 'text', text: 'Yes.' }], { uuid: 'u1' })
    expect(textIn(inThread([message, message, result()]))).toBe('Yes.')
  })

  it('[P1] 19, 20: any separator and halves of a character stay intact', () => {
    const text = 'a\u2028b\u200dc\u{1F600}d'
    const halves = ['a\u2028b\u200dc\ud83d', '\ude00d']
    const chunks = inThread([
      begin('m1'),
      ...block(0, { type: 'text', text: '' }, ...halves.map(half => ({ type: 'text_delta', text: half }))),
      whole('m1', [{ type: 'text', text }]),
      stop(0),
      result(),
    ])
    expect(textIn(chunks)).toBe(text)
    expect(only(chunks, 'data-retracted')).toEqual([])
    const escaped = {
      from: 'agent',
      text: '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"x\\u2028y"}]}}',
    } as const
    expect(textIn(inThread([escaped, result()]))).toBe('x\u2028y')
  })

  it('[P5] the result does not repeat streamed text, where the whole message is missing', () => {
    const lines = recording('thinking-text').filter(({ text }) => !text.includes('"type":"assistant"'))
    expect(textIn(inThread(lines))).toBe('17 * 23 = 391.')
  })

  it('[P5] a repeated result ends one answer', () => {
    const lines = recording('thinking-text')
    const twice = lines.flatMap(each => (each.text.includes('"type":"result"') ? [each, each] : [each]))
    expect(chunksOf(twice)).toEqual(chunksOf(lines))
    const local = result({ result: 'Done.' })
    expect(textIn(inThread([local, local]))).toBe('Done.')
    expect(only(inThread([local, ours({ type: 'user', uuid: 'u' }), local]), 'finish')).toHaveLength(2)
  })
})
