import { describe, expect, it } from 'vitest'
import { partsOf } from '../kit/lossless.fixture.ts'
import {
  busy,
  delta,
  ends,
  event,
  hear,
  heardOf,
  idle,
  inAnswer,
  message,
  opens,
  part,
  stepEnds,
  type Heard,
} from './talk.fixture.ts'

const texts = (heard: Heard) => partsOf(heard, 'text').map(({ text }) => text)
const notices = (heard: Heard) => partsOf(heard, 'data-notice').map(({ data }) => data)
const starts = (heard: Heard) => heard.main.filter(({ type }) => type === 'start')

describe('messages', () => {
  it('[P2] all steps after a prompt are one message, each with its own step', () => {
    const heard = inAnswer(
      part('s1', { type: 'step-start' }),
      ends('t1', 'One.'),
      stepEnds('f1', 10, 'tool-calls'),
      busy(),
      message('b'),
      part('s2', { type: 'step-start' }, 'b'),
      part('t2', { type: 'text', text: 'Two.', time: { end: 2 } }, 'b'),
      stepEnds('f2', 20),
    )
    expect(heard.messages).toHaveLength(1)
    expect(texts(heard)).toEqual(['One.', 'Two.'])
    expect(heard.main.filter(({ type }) => type === 'start-step')).toHaveLength(2)
  })

  it('[P5] a piece is its deltas, and its end repeats them; another piece may begin before', () => {
    const heard = inAnswer(
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
    expect(texts(heard)).toEqual(['Hello'])
    expect(
      partsOf(heard, 'reasoning')
        .map(({ text }) => text)
        .join(''),
    ).toBe('Hm.')
  })

  it.each(['text', 'reasoning'] as const)(
    '[P5] %s that comes only as snapshots is shown as it grows, once, whatever ends it',
    type => {
      const grows = (text: string, more: object = {}) =>
        event('message.part.updated', {
          part: { id: 't', messageID: 'a', sessionID: 'S', type, text, ...more },
          delta: text.slice(-2),
        })
      const plain = (text: string) => part('t', { type, text })
      const finished = message('a', 'assistant', { finish: 'stop', time: { created: 1, completed: 2 } })
      const said = (...lines: readonly string[]) =>
        partsOf(hear(message('a'), ...lines), type).map(({ text }) => text)
      const growing = [grows(''), grows('Hel'), grows('Hello'), grows('Hello')]
      expect(said(...growing, idle())).toEqual(['Hello'])
      expect(said(...growing)).toEqual(['Hello'])
      expect(said(...growing, finished, idle())).toEqual(['Hello'])
      expect(said(busy(), plain('Hel'), plain('Hello'), finished, idle())).toEqual(['Hello'])
      expect(said(...growing, ends('t', 'Hello you', type), idle())).toEqual(['Hello you'])
      expect(said(grows('Hel'), grows('Bye'), idle())).toEqual(['Bye'])
      expect(
        said(...growing, stepEnds('f', 1), grows('Hello you'), grows('Hello you!'), idle()).join(''),
      ).toBe('Hello you!')
      expect(said(...growing, idle(), grows('Hello you'), idle()).join('')).toBe('Hello you')
      expect(said(opens('t', type), delta('t', 'Hel'), grows('Hel'), delta('t', 'lo'), idle())).toEqual([
        'Hello',
      ])
    },
  )

  it('[P2] a prompt of which only the part is told is not taken for an answer', () => {
    expect(texts(hear(busy(), part('p', { type: 'text', text: 'Hello' }, 'unheard'), idle()))).toEqual([])
  })

  it('[P7] a message that is told to be finished before its parts come ends nothing', () => {
    const finished = { finish: 'stop', time: { created: 1_000, completed: 3_000 } }
    const heard = hear(busy(), message('a', 'assistant', finished), opens('t'), delta('t', 'Hi'), idle())
    expect(texts(heard)).toEqual(['Hi'])
    expect(heard.messages[0]?.message.metadata).toMatchObject({ reason: 'finished', duration: 2_000 })
  })

  it('[P7] the first of two idles ends the answer, and what comes after it is placed there', () => {
    const aborted = event('session.error', { error: { name: 'MessageAbortedError', data: { message: 'x' } } })
    const heard = hear(
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
    expect(texts(heard).join('')).toBe('One two')
    expect(heard.messages[0]?.message.metadata).toMatchObject({ reason: 'interrupted' })
    expect(heard.messages).toHaveLength(1)
    expect(heardOf('abort-text').messages).toHaveLength(1)
    expect(heardOf('abort-tool-input').messages).toHaveLength(1)
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
    expect(texts(heardOf('context-exceeded'))).toEqual(['Summary text.', 'After compaction.'])
    expect(
      notices(inAnswer(event('session.error', { sessionID: '', error }))).map(({ level }) => level),
    ).toEqual(['error'])
  })

  it('[P7] before another try, what the failed one said is taken back', () => {
    const retry = (text: string) =>
      event('session.status', { status: { type: 'retry', attempt: 1, message: text } })
    const heard = inAnswer(
      part('s', { type: 'step-start' }),
      ends('z', 'Kept.'),
      opens('t'),
      delta('t', 'Part'),
      retry('{"message":"Busy.","type":"x"}'),
      part('s2', { type: 'step-start' }),
      ends('t2', 'Whole.'),
    )
    expect(texts(heard)).toEqual(['Kept.', 'Whole.'])
    expect(notices(heard)).toEqual([{ level: 'warning', code: 'retrying', message: 'Busy.' }])
  })

  it('[P7] a step counts once, however often it is told, and why the model stopped is kept', () => {
    const heard = inAnswer(stepEnds('f1', 100), stepEnds('f1', 100), stepEnds('f2', 50, 'length'))
    const tokens = { input: 150, output: 160, cacheRead: 2, cacheWrite: 4 }
    expect(partsOf(heard, 'data-usage')).toMatchObject([{ data: { tokens, cost: 0.15, model: 'p/m' } }])
    expect(heard.messages[0]?.message.metadata).toMatchObject({ tokens, opencode: { reasoningTokens: 10 } })
    expect(heard.main.at(-1)).toMatchObject({ finishReason: 'length' })
    const next = hear(busy(), stepEnds('f1', 100), idle(), busy(), stepEnds('f2', 7), idle())
    expect(partsOf(next, 'data-usage').map(({ data }) => data.tokens.input)).toEqual([100, 7])
  })

  it('[P2] prompts are not shown, but for what OpenCode adds to them', () => {
    const heard = inAnswer(
      part('p1', { type: 'text', text: 'Hello' }, 'u'),
      part('p2', { type: 'text', text: 'Continue.', synthetic: true }, 'u'),
      part('p3', { type: 'compaction', auto: true }, 'u'),
      event('session.compacted'),
    )
    expect(texts(heard)).toEqual([])
    expect(notices(heard).map(({ code }) => code)).toEqual(['synthetic', 'compacting', 'compacted'])
  })

  it('[A6] a fork does not say again what it copies', () => {
    const heard = hear(
      message('c', 'assistant', { time: { created: 1, completed: 2 } }),
      part('ct', { type: 'text', text: 'Once.', time: { end: 1 } }, 'c'),
      part('cf', { type: 'step-finish', tokens: { input: 9 }, cost: 9 }, 'c'),
      busy(),
      message('a'),
      ends('t', 'Twice.'),
      idle(),
    )
    expect(texts(heard)).toEqual(['Twice.'])
    expect(partsOf(heard, 'data-usage')).toEqual([])
  })

  it('[P2] diffs, plans, patches and files are shown, each once', () => {
    const diff = event('session.diff', { diff: [{ file: 'a', patch: '+a' }] })
    const todos = [
      { content: 'Look', status: 'in_progress', priority: 'high' },
      { content: 'Act', status: 'new-status' },
    ]
    const heard = inAnswer(
      diff,
      diff,
      message('u', 'user', { summary: { diffs: [{ patch: '+a' }] } }),
      event('todo.updated', { todos }),
      part('p', { type: 'patch', hash: 'x', files: ['/w/a'] }),
      part('p', { type: 'patch', hash: 'x', files: ['/w/a'] }),
      part('i', { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA' }),
    )
    expect(notices(heard).map(({ code, message: text }) => [code, text])).toEqual([
      ['session-diff', '+a'],
      ['patch', 'Changed: /w/a'],
    ])
    expect(partsOf(heard, 'data-todos')[0]?.data.todos).toEqual([
      { text: 'Look', status: 'in-progress' },
      { text: 'Act', status: 'pending' },
    ])
    expect(partsOf(heard, 'file')).toHaveLength(1)
  })

  it('[A6] a part that is taken away is taken back', () => {
    const removed = event('message.part.removed', { messageID: 'a', partID: 't' })
    expect(texts(inAnswer(ends('t', 'Oh.'), removed, ends('t2', 'Ah.')))).toEqual(['Ah.'])
  })

  it('[A3] an answer begins with its first word when nothing else told of it', () => {
    expect(texts(hear(message('a'), opens('t'), delta('t', 'Hi'), idle()))).toEqual(['Hi'])
  })

  it('[A3] what was said before any answer is shown, also when there never is one', () => {
    const lost = [event('tui.toast.show', { message: 'x' }), 'garbage', '{"type":"text","words":"kept"}']
    const heard = hear(...lost, idle())
    expect(starts(heard)).toHaveLength(1)
    expect(partsOf(heard, 'data-notice').map(({ data }) => data.code)).toEqual(['toast', 'not-json'])
    expect(JSON.stringify(partsOf(heard, 'data-unknown'))).toContain('kept')
    expect(starts(hear(...lost, opens('t'), delta('t', 'Hi'), idle()))).toHaveLength(1)
    const other = '{"type":"session.next.text.ended","data":{"text":"kept"}}'
    expect(JSON.stringify(partsOf(hear(other), 'data-unknown'))).toContain('kept')
  })

  it('[A3] [R2] what nobody understands is shown, noise is not, and the answer goes on', () => {
    const heard = inAnswer(
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
    const unknown = partsOf(heard, 'data-unknown').map(({ data }) => data.kind)
    expect(unknown).toEqual(['untyped', 'brand.new', 'part brand-new', 'part ', 'part '])
    expect(JSON.stringify(heard.messages)).toContain('"field":"kept"')
    expect(texts(heard)).toEqual(['Still here.'])
  })
})
