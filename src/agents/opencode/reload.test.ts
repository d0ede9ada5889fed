import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { partsOf, translateLines } from '../kit/lossless.fixture.ts'
import { opencode } from './index.ts'
import { busy, delta, ends, hear, message, opens, stepEnds } from './talk.fixture.ts'

describe('after a gap', () => {
  const answer = (path: string, response: Json) => JSON.stringify({ path, response })
  const stored = (parts: readonly Json[]): Json => [
    {
      info: { id: '0', role: 'assistant', sessionID: 'S', time: {} },
      parts: [{ id: 'old', type: 'text', text: 'Earlier.', time: { end: 1 } }],
    },
    { info: { id: 'u', role: 'user', sessionID: 'S', time: {} }, parts: [] },
    { info: { id: 'v', role: 'assistant', parentID: 'u', sessionID: 'S', time: {} }, parts },
  ]
  const text = (id: string, words: string): Json => ({
    id,
    messageID: 'v',
    sessionID: 'S',
    type: 'text',
    text: words,
    time: { start: 1, end: 2 },
  })

  it('[A6] only what was missed is added, and an answer that ended unheard is ended', () => {
    const heard = hear(
      busy(),
      message('v'),
      ends('t1', 'One.'),
      stepEnds('f1', 10),
      opens('t2'),
      delta('t2', 'Tw'),
      answer(
        '/session/S/message',
        stored([
          text('t1', 'One.'),
          { id: 'f1', messageID: 'v', sessionID: 'S', type: 'step-finish', tokens: { input: 10 } },
          text('t2', 'Two.'),
          text('t3', 'Three.'),
        ]),
      ),
      answer('/session/status', {}),
    )
    expect(
      partsOf(heard, 'text')
        .map(({ text: words }) => words)
        .join(''),
    ).toBe('One.Two.Three.')
    expect(partsOf(heard, 'data-usage').map(({ data }) => data.tokens.input)).toEqual([10])
    expect(heard.messages[0]?.message.metadata).toMatchObject({ reason: 'finished' })
  })

  it('[A6] questions that were missed are asked, and an answer that is at work goes on', () => {
    const heard = hear(
      busy(),
      answer('/permission', [
        { id: 'per_1', sessionID: 'S', permission: 'bash', patterns: [], metadata: {} },
      ]),
      answer('/question', [{ id: 'que_1', sessionID: 'S', questions: [] }]),
      answer('/session/status', { S: { type: 'busy' } }),
      answer('/elsewhere', null),
      ends('t', 'On.'),
    )
    expect(partsOf(heard, 'dynamic-tool').map(({ toolCallId }) => toolCallId)).toEqual(['per_1', 'que_1'])
    expect(partsOf(heard, 'text')).toHaveLength(1)
    expect(heard.messages).toHaveLength(1)
  })

  it('[A6] when nothing was heard before, only the newest answer is told', () => {
    const lines = [answer('/session/S/message', stored([text('t', 'New.')])), answer('/session/status', {})]
    const said = JSON.stringify(translateLines(opencode, lines))
    expect(said).toContain('New.')
    expect(said).not.toContain('Earlier.')
  })
})
