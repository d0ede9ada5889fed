import { describe, expect, it } from 'vitest'
import { partsOf } from '../kit/lossless.fixture.ts'
import {
  busy,
  delta,
  ends,
  event,
  translateSession,
  translateRecording,
  idle,
  inAnswer,
  message,
  opens,
  part,
  stepEnds,
  type Translated,
} from './lines.fixture.ts'

const texts = (translated: Translated) => partsOf(translated, 'text').map(({ text }) => text)
const notices = (translated: Translated) => partsOf(translated, 'data-notice').map(({ data }) => data)
const starts = (translated: Translated) => translated.main.filter(({ type }) => type === 'start')

describe('messages', () => {
  it('[P2] all steps after a prompt are one message, each with its own step', () => {
    const translated = inAnswer(
      part('s1', { type: 'step-start' }),
      ends('t1', 'One.'),
      stepEnds('f1', 10, 'tool-calls'),
      busy(),
      message('b'),
      part('s2', { type: 'step-start' }, 'b'),
      part('t2', { type: 'text', text: 'Two.', time: { end: 2 } }, 'b'),
      stepEnds('f2', 20),
    )
    expect(translated.messages).toHaveLength(1)
    expect(texts(translated)).toEqual(['One.', 'Two.'])
    expect(translated.main.filter(({ type }) => type === 'start-step')).toHaveLength(2)
  })

  it('[P5] a part is its deltas, and its end repeats them; another part may begin before', () => {
    const translated = inAnswer(
      opens('t'),
      delta('t', 'Hel'),
      opens('r', 'reasoning'),
      delta('r', 'Hm'),
      delta('t', 'lo'),
      ends('t', 'Hello'),
      ends('t', 'Hello'),
      delta('t', '!'),
      ends('r', 'Hm.', 'reasoning'),
    )
    expect(texts(translated)).toEqual(['Hello'])
    expect(
      partsOf(translated, 'reasoning')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Hm.')
  })

  it.each(['text', 'reasoning'] as const)(
    '[P5] %s that comes only as snapshots is shown as it grows, once, with any kind of end',
    type => {
      const grows = (text: string, more: object = {}) =>
        event('message.part.updated', {
          part: { id: 't', messageID: 'a', sessionID: 'S', type, text, ...more },
          delta: text.slice(-2),
        })
      const plain = (text: string) => part('t', { type, text })
      const finished = message('a', 'assistant', { finish: 'stop', time: { created: 1, completed: 2 } })
      const textsOf = (...lines: readonly string[]) =>
        partsOf(translateSession(message('a'), ...lines), type).map(({ text }) => text)
      const growing = [grows(''), grows('Hel'), grows('Hello'), grows('Hello')]
      expect(textsOf(...growing, idle())).toEqual(['Hello'])
      expect(textsOf(...growing)).toEqual(['Hello'])
      expect(textsOf(...growing, finished, idle())).toEqual(['Hello'])
      expect(textsOf(busy(), plain('Hel'), plain('Hello'), finished, idle())).toEqual(['Hello'])
      expect(textsOf(...growing, ends('t', 'Hello you', type), idle())).toEqual(['Hello you'])
      expect(textsOf(grows('Hel'), grows('Bye'), idle())).toEqual(['Bye'])
      expect(
        textsOf(...growing, stepEnds('f', 1), grows('Hello you'), grows('Hello you!'), idle()).join(''),
      ).toBe('Hello you!')
      expect(textsOf(...growing, idle(), grows('Hello you'), idle()).join('')).toBe('Hello you')
      expect(textsOf(opens('t', type), delta('t', 'Hel'), grows('Hel'), delta('t', 'lo'), idle())).toEqual([
        'Hello',
      ])
    },
  )

  it('[P2] a prompt that appears only as a part is not treated as an answer', () => {
    expect(
      texts(translateSession(busy(), part('p', { type: 'text', text: 'Hello' }, 'unheard'), idle())),
    ).toEqual([])
  })

  it('[P7] a message that is reported finished before its parts come ends nothing', () => {
    const finished = { finish: 'stop', time: { created: 1_000, completed: 3_000 } }
    const translated = translateSession(
      busy(),
      message('a', 'assistant', finished),
      opens('t'),
      delta('t', 'Hi'),
      idle(),
    )
    expect(texts(translated)).toEqual(['Hi'])
    expect(translated.messages[0]?.message.metadata).toMatchObject({ reason: 'finished', duration: 2_000 })
  })

  it('[P7] the first of two idle events ends the answer, and later parts are placed in it', () => {
    const aborted = event('session.error', { error: { name: 'MessageAbortedError', data: { message: 'x' } } })
    const translated = translateSession(
      busy(),
      message('a'),
      opens('t'),
      delta('t', 'One '),
      aborted,
      idle(),
      ends('t', 'One two'),
      message('a'),
      idle(),
    )
    expect(texts(translated).join('')).toBe('One two')
    expect(translated.messages[0]?.message.metadata).toMatchObject({ reason: 'interrupted' })
    expect(translated.messages).toHaveLength(1)
    expect(translateRecording('abort-text').messages).toHaveLength(1)
    expect(translateRecording('abort-tool-input').messages).toHaveLength(1)
  })

  it('[P7] an error ends the answer only when nothing follows it', () => {
    const error = { name: 'APIError', data: { message: 'No.', statusCode: 400 } }
    const failed = inAnswer(event('session.error', { error }))
    expect(failed.messages[0]?.message.metadata).toMatchObject({
      reason: 'failed',
      error: { kind: 'APIError', message: 'No. (HTTP 400)' },
    })
    const overflow = { name: 'ContextOverflowError', data: { message: 'Too long.' } }
    const goesOn = inAnswer(
      event('session.error', { error: overflow }),
      part('s', { type: 'step-start' }),
      ends('t', 'Hi'),
    )
    expect(goesOn.messages[0]?.message.metadata).toMatchObject({ reason: 'finished' })
    expect(notices(goesOn)).toMatchObject([{ code: 'ContextOverflowError', message: 'Too long.' }])
    expect(texts(translateRecording('context-exceeded'))).toEqual(['Summary text.', 'After compaction.'])
    expect(
      notices(inAnswer(event('session.error', { sessionID: '', error }))).map(({ level }) => level),
    ).toEqual(['error'])
  })

  it('[P7] before a retry, the text of the failed try is retracted', () => {
    const retry = (text: string) =>
      event('session.status', { status: { type: 'retry', attempt: 1, message: text } })
    const translated = inAnswer(
      part('s', { type: 'step-start' }),
      ends('z', 'Kept.'),
      opens('t'),
      delta('t', 'Part'),
      retry('{"message":"Busy.","type":"x"}'),
      part('s2', { type: 'step-start' }),
      ends('t2', 'Whole.'),
    )
    expect(texts(translated)).toEqual(['Kept.', 'Whole.'])
    expect(notices(translated)).toEqual([{ level: 'warning', code: 'retrying', message: 'Busy.' }])
  })

  it('[P7] a repeated step counts once, and the stop reason is kept', () => {
    const translated = inAnswer(stepEnds('f1', 100), stepEnds('f1', 100), stepEnds('f2', 50, 'length'))
    const tokens = { input: 150, output: 160, cacheRead: 2, cacheWrite: 4 }
    expect(partsOf(translated, 'data-usage')).toMatchObject([{ data: { tokens, cost: 0.15, model: 'p/m' } }])
    expect(translated.messages[0]?.message.metadata).toMatchObject({
      tokens,
      opencode: { reasoningTokens: 10 },
    })
    expect(translated.main.at(-1)).toMatchObject({ finishReason: 'length' })
    const next = translateSession(busy(), stepEnds('f1', 100), idle(), busy(), stepEnds('f2', 7), idle())
    expect(partsOf(next, 'data-usage').map(({ data }) => data.tokens.input)).toEqual([100, 7])
  })

  it('[P2] prompts are not shown, except for what OpenCode adds to them', () => {
    const translated = inAnswer(
      part('p1', { type: 'text', text: 'Hello' }, 'u'),
      part('p2', { type: 'text', text: 'Continue.', synthetic: true }, 'u'),
      part('p3', { type: 'compaction', auto: true }, 'u'),
      event('session.compacted'),
    )
    expect(texts(translated)).toEqual([])
    expect(notices(translated).map(({ code }) => code)).toEqual(['synthetic', 'compacting', 'compacted'])
  })

  it('[A6] a fork does not repeat what it copies', () => {
    const translated = translateSession(
      message('c', 'assistant', { time: { created: 1, completed: 2 } }),
      part('ct', { type: 'text', text: 'Once.', time: { end: 1 } }, 'c'),
      part('cf', { type: 'step-finish', tokens: { input: 9 }, cost: 9 }, 'c'),
      busy(),
      message('a'),
      ends('t', 'Twice.'),
      idle(),
    )
    expect(texts(translated)).toEqual(['Twice.'])
    expect(partsOf(translated, 'data-usage')).toEqual([])
  })

  it('[P2] diffs, plans, patches and files are shown, each once', () => {
    const diff = event('session.diff', { diff: [{ file: 'a', patch: '+a' }] })
    const todos = [
      { content: 'Look', status: 'in_progress', priority: 'high' },
      { content: 'Act', status: 'new-status' },
    ]
    const translated = inAnswer(
      diff,
      diff,
      message('u', 'user', { summary: { diffs: [{ patch: '+a' }] } }),
      event('todo.updated', { todos }),
      part('p', { type: 'patch', hash: 'x', files: ['/w/a'] }),
      part('p', { type: 'patch', hash: 'x', files: ['/w/a'] }),
      part('i', { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA' }),
    )
    expect(notices(translated).map(({ code, message: text }) => [code, text])).toEqual([
      ['session-diff', '+a'],
      ['patch', 'Changed: /w/a'],
    ])
    expect(partsOf(translated, 'data-todos')[0]?.data.todos).toEqual([
      { text: 'Look', status: 'in-progress' },
      { text: 'Act', status: 'pending' },
    ])
    expect(partsOf(translated, 'file')).toHaveLength(1)
  })

  it('[A6] a removed part is retracted', () => {
    const removed = event('message.part.removed', { messageID: 'a', partID: 't' })
    expect(texts(inAnswer(ends('t', 'Oh.'), removed, ends('t2', 'Ah.')))).toEqual(['Ah.'])
  })

  it('[A3] an answer begins with its first text when no other event reported it', () => {
    expect(texts(translateSession(message('a'), opens('t'), delta('t', 'Hi'), idle()))).toEqual(['Hi'])
  })

  it('[A3] events before any answer are shown, also when there never is one', () => {
    const lost = [event('tui.toast.show', { message: 'x' }), 'garbage', '{"type":"text","words":"kept"}']
    const translated = translateSession(...lost, idle())
    expect(starts(translated)).toHaveLength(1)
    expect(partsOf(translated, 'data-notice').map(({ data }) => data.code)).toEqual(['toast', 'not-json'])
    expect(JSON.stringify(partsOf(translated, 'data-unknown'))).toContain('kept')
    expect(starts(translateSession(...lost, opens('t'), delta('t', 'Hi'), idle()))).toHaveLength(1)
    const other = '{"type":"session.next.text.ended","data":{"text":"kept"}}'
    expect(JSON.stringify(partsOf(translateSession(other), 'data-unknown'))).toContain('kept')
  })

  it('[A3] [R2] unknown events are shown, noise is not, and the answer continues', () => {
    const translated = inAnswer(
      'no json',
      '{"neither":"nor"}',
      event('plugin.added', { id: 'x' }),
      event('server.heartbeat'),
      event('session.next.text.delta', { delta: 'Hi' }),
      event('brand.new', { thing: 1 }),
      part('n', { type: 'brand-new', field: 'kept' }),
      part('m', {}, 'a'),
      event('message.part.updated', { part: 7 }),
      event('message.updated', { info: null }),
      ends('t', 'Still here.'),
    )
    const unknown = partsOf(translated, 'data-unknown').map(({ data }) => data.kind)
    expect(unknown).toEqual(['untyped', 'brand.new', 'part brand-new', 'part ', 'part '])
    expect(JSON.stringify(translated.messages)).toContain('"field":"kept"')
    expect(texts(translated)).toEqual(['Still here.'])
  })
})
