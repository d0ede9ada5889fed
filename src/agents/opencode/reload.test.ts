import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { partsOf, translateLines } from '../kit/lossless.fixture.ts'
import { opencode } from './index.ts'
import { busy, delta, ends, translateSession, message, opens, stepEnds } from './lines.fixture.ts'

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
  const part = (id: string, text: string): Json => ({
    id,
    messageID: 'v',
    sessionID: 'S',
    type: 'text',
    text,
    time: { start: 1, end: 2 },
  })

  it('[A6] only missed messages are added, and an answer that ended in the gap is ended', () => {
    const translated = translateSession(
      busy(),
      message('v'),
      ends('t1', 'One.'),
      stepEnds('f1', 10),
      opens('t2'),
      delta('t2', 'Tw'),
      answer(
        '/session/S/message',
        stored([
          part('t1', 'One.'),
          { id: 'f1', messageID: 'v', sessionID: 'S', type: 'step-finish', tokens: { input: 10 } },
          part('t2', 'Two.'),
          part('t3', 'Three.'),
        ]),
      ),
      answer('/session/status', {}),
    )
    expect(
      partsOf(translated, 'text')
        .map(({ text }) => text)
        .join(''),
    ).toBe('One.Two.Three.')
    expect(partsOf(translated, 'data-usage').map(({ data }) => data.tokens.input)).toEqual([10])
    expect(translated.messages[0]?.message.metadata).toMatchObject({ reason: 'finished' })
  })

  it('[A6] missed questions are asked, and a running answer continues', () => {
    const translated = translateSession(
      busy(),
      answer('/permission', [
        { id: 'per_1', sessionID: 'S', permission: 'bash', patterns: [], metadata: {} },
      ]),
      answer('/question', [{ id: 'que_1', sessionID: 'S', questions: [] }]),
      answer('/session/status', { S: { type: 'busy' } }),
      answer('/elsewhere', null),
      ends('t', 'On.'),
    )
    expect(partsOf(translated, 'dynamic-tool').map(({ toolCallId }) => toolCallId)).toEqual([
      'per_1',
      'que_1',
    ])
    expect(partsOf(translated, 'text')).toHaveLength(1)
    expect(translated.messages).toHaveLength(1)
  })

  it('[A6] without earlier events, only the newest answer is shown', () => {
    const lines = [answer('/session/S/message', stored([part('t', 'New.')])), answer('/session/status', {})]
    const chunks = JSON.stringify(translateLines(opencode, lines))
    expect(chunks).toContain('New.')
    expect(chunks).not.toContain('Earlier.')
  })
})
