import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../protocol/chunk.ts'
import { partsOf } from '../kit/lossless.fixture.ts'
import {
  begins,
  command,
  completes,
  delta,
  hear,
  heardOf,
  inTurn,
  sums,
  text,
  told,
  turnBegins,
  turnEnds,
  type Heard,
} from './talk.fixture.ts'

const texts = (heard: Heard) => partsOf(heard, 'text').map(part => part.text)
const types = (chunks: readonly Chunk[]) => chunks.map(({ type }) => type)
const notices = (heard: Heard) => partsOf(heard, 'data-notice').map(({ data }) => data)
const usage = (heard: Heard) => partsOf(heard, 'data-usage').map(({ data }) => data.tokens.input)

describe('messages', () => {
  it('[P2] one turn is one message, whatever came before it is said in it', () => {
    const heard = hear(
      told('configWarning', { summary: 'No bubblewrap.', details: null }),
      turnBegins(),
      text('a', 'Hello'),
      turnEnds(),
      turnBegins('V'),
      text('a', 'Hello'),
      turnEnds('completed', {}, 'V'),
    )
    expect(heard.messages).toHaveLength(2)
    expect(texts(heard)).toEqual(['Hello', 'Hello'])
    expect(notices(heard)).toEqual([{ level: 'warning', code: 'config-warning', message: 'No bubblewrap.' }])
  })

  it('[A3] what was said before any answer is shown, also when there never is one', () => {
    const lost = [told('warning', { message: 'x' }), 'garbage', '{"type":"item.completed","words":"kept"}']
    const heard = hear(...lost)
    expect(heard.messages).toHaveLength(1)
    expect(notices(heard).map(({ code }) => code)).toEqual(['warning', 'not-json'])
    expect(JSON.stringify(partsOf(heard, 'data-unknown'))).toContain('kept')
    expect(heard.messages[0]?.message.metadata).toMatchObject({ reason: 'interrupted' })
    expect(hear(...lost, turnBegins(), text('a', 'Hello'), turnEnds()).messages).toHaveLength(1)
  })

  it('[P5] a text that never completes is closed with the turn, and a late delta opens nothing', () => {
    const heard = hear(
      turnBegins(),
      delta('a', 'One '),
      delta('a', 'two'),
      turnEnds('interrupted'),
      delta('a', ' three'),
    )
    expect(texts(heard)).toEqual(['One two'])
    expect(heard.messages[0]?.message.metadata).toMatchObject({ reason: 'interrupted', duration: 5 })
    expect(types(heard.main).filter(type => type === 'start')).toHaveLength(1)
  })

  it('[P5] an item that completes after its turn says the rest in its message', () => {
    const heard = hear(turnBegins(), delta('a', 'Hel'), turnEnds(), text('a', 'Hello'))
    expect(texts(heard).join('')).toBe('Hello')
    expect(heard.messages).toHaveLength(1)
  })

  it('[P2] a plan may open and close within a text', () => {
    const heard = inTurn(
      delta('a', 'So: '),
      told('item/plan/delta', { itemId: 'p', delta: '# Plan' }),
      completes({ type: 'plan', id: 'p', text: '# Plan' }),
      delta('a', 'good?'),
      text('a', 'So: good?', {
        item: { type: 'agentMessage', id: 'a', text: 'So: good?', phase: 'final_answer' },
      }),
    )
    expect(partsOf(heard, 'text')).toMatchObject([
      { text: 'So: good?', providerMetadata: { codex: { phase: 'final_answer' } } },
      { text: '# Plan', providerMetadata: { codex: { type: 'plan' } } },
    ])
  })

  it('[P2] thinking has a part for each summary and for the thoughts themselves; empty deltas are nothing', () => {
    const thinks = (kind: string, index: string, at: number, words: string) =>
      told(`item/reasoning/${kind}`, { itemId: 'r', [index]: at, delta: words })
    const heard = inTurn(
      told('item/reasoning/summaryPartAdded', { itemId: 'r', summaryIndex: 0 }),
      thinks('summaryTextDelta', 'summaryIndex', 0, ''),
      thinks('summaryTextDelta', 'summaryIndex', 0, 'One'),
      told('item/reasoning/summaryPartAdded', { itemId: 'r', summaryIndex: 1 }),
      thinks('textDelta', 'contentIndex', 0, 'raw'),
      completes({ type: 'reasoning', id: 'r', summary: ['One', 'Two'], content: ['raw'] }),
    )
    expect(partsOf(heard, 'reasoning').map(part => part.text)).toEqual(['One', 'raw', 'Two'])
  })

  it('[P7] what a turn lists at its end is not said again, nor is the same diff', () => {
    const diff = told('turn/diff/updated', { diff: '+a' })
    const newer = told('turn/diff/updated', { diff: '+a\n+b' })
    const item = { type: 'agentMessage', id: 'a', text: 'Hi' }
    const heard = hear(
      turnBegins(),
      text('a', 'Hi'),
      diff,
      diff,
      newer,
      turnEnds('completed', { items: [item] }),
    )
    expect(texts(heard)).toEqual(['Hi'])
    expect(notices(heard)).toEqual([{ level: 'info', code: 'turn-diff', message: '+a\n+b' }])
    expect(types(heard.main).filter(type => type === 'data-notice')).toHaveLength(2)
  })

  it('[P2] a plan is shown as todos, and why it changed', () => {
    const plan = [
      { step: 'Look', status: 'completed' },
      { step: 'Act', status: 'inProgress' },
    ]
    const heard = inTurn(told('turn/plan/updated', { plan, explanation: 'Because.' }))
    const todos = [
      { text: 'Look', status: 'completed' },
      { text: 'Act', status: 'in-progress' },
    ]
    expect(partsOf(heard, 'data-todos')).toMatchObject([{ data: { todos } }])
    expect(notices(heard)).toMatchObject([{ code: 'plan', message: 'Because.' }])
  })

  it('[A3] what is no answer to anyone is a message of its own, which is finished', () => {
    const heard = hear(begins(command('c')), completes(command('c', { status: 'completed' })))
    expect(types(heard.main).filter(type => type === 'finish')).toHaveLength(2)
    expect(heard.messages).toHaveLength(1)
  })
})

describe('usage', () => {
  it('[P7] is what the sums grew by: repeated figures count once, earlier turns not at all', () => {
    const earlier = { turnId: 'long ago' }
    const heard = hear(
      sums(300, 150, earlier),
      turnBegins(),
      sums(300, 150),
      sums(450, 150),
      sums(450, 317),
      turnEnds(),
      turnBegins('V'),
      sums(600, 150, { turnId: 'V' }),
      turnEnds('completed', {}, 'V'),
    )
    expect(usage(heard)).toEqual([150, 150])
    expect(heard.messages[0]?.message.metadata).toMatchObject({ tokens: { input: 150, output: 150 } })
  })

  it('[P7] without an earlier sum, the last request tells where the turn began', () => {
    expect(usage(hear(turnBegins(), sums(450, 150), sums(600, 150), turnEnds()))).toEqual([300])
  })

  it('[P7] counts cached tokens apart, and ends a step with each request', () => {
    const total = {
      inputTokens: 120,
      cachedInputTokens: 20,
      cacheWriteInputTokens: 10,
      outputTokens: 30,
      reasoningOutputTokens: 5,
    }
    const heard = inTurn(
      text('a', 'One'),
      told('thread/tokenUsage/updated', { tokenUsage: { total, last: total } }),
      text('b', 'Two'),
    )
    const tokens = { input: 90, output: 30, cacheRead: 20, cacheWrite: 10 }
    expect(partsOf(heard, 'data-usage')).toMatchObject([{ data: { tokens, cost: null, model: 'm' } }])
    expect(heard.messages[0]?.message.metadata).toMatchObject({ codex: { reasoningTokens: 5 } })
    expect(types(heard.main).filter(type => type === 'start-step')).toHaveLength(2)
  })
})

describe('trouble', () => {
  const failed = (error: Parameters<typeof turnEnds>[1]) =>
    hear(turnBegins(), turnEnds('failed', error)).messages[0]?.message.metadata?.['error']

  it('[P7] an error that is tried again is a notice, and takes back the words it cut off', () => {
    const error = { message: 'Reconnecting... 1/2', additionalDetails: 'stream disconnected' }
    const heard = inTurn(
      text('z', 'Kept.'),
      delta('a', 'This is c'),
      told('error', { error, willRetry: true }),
      text('b', 'This is whole.'),
    )
    expect(texts(heard)).toEqual(['Kept.', 'This is whole.'])
    expect(notices(heard)).toEqual([
      { level: 'warning', code: 'retrying', message: 'Reconnecting... 1/2 (stream disconnected)' },
    ])
  })

  it('[P7] an error that is final is told once, at the end of the turn, with a kind and a sentence', () => {
    const body = JSON.stringify({ error: { message: 'Not like this.', type: 'x' } })
    const error = { message: body, codexErrorInfo: 'other' }
    const heard = hear(
      turnBegins(),
      told('error', { error, willRetry: false }),
      turnEnds('failed', { error }),
    )
    expect(types(heard.main)).toEqual(['start', 'data-session', 'message-metadata', 'error', 'finish'])
    expect(failed({ error })).toEqual({ kind: 'other', message: 'Not like this.' })
    expect(
      failed({
        error: { message: 'No.', codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 401 } } },
      }),
    ).toEqual({ kind: 'httpConnectionFailed', message: 'No. (HTTP 401)' })
    expect(failed({ error: null })).toMatchObject({ kind: 'other' })
  })

  it('[P7] a text cut off for good stays, when nothing is tried again', () => {
    expect(texts(heardOf('stream-drop-final')).join('')).toBe('This will be cut')
    expect(texts(heardOf('stream-drop-retry'))).toEqual(['This is whole.'])
  })

  it('[A3] [R2] lines that nobody understands are shown, and the answer goes on', () => {
    const heard = inTurn(
      'Segmentation fault',
      '[1]',
      '{"neither":"nor"}',
      told('brand/new', { thing: 1 }),
      '{"id":7,"method":"brand/newRequest","params":{}}',
      '{"id":9,"error":{"code":-32600,"message":"no active turn"}}',
      completes({ type: 'brandNew', id: 'n', field: 'kept' }),
      told('item/started', { item: 7 }),
      told('item/agentMessage/delta', { itemId: {}, delta: 3 }),
      text('a', 'Still here.'),
    )
    const unknown = partsOf(heard, 'data-unknown').map(({ data }) => data.kind)
    expect(unknown).toEqual(['untyped', 'brand/new', 'brand/newRequest', 'item brandNew'])
    expect(JSON.stringify(heard.messages)).toContain('"field":"kept"')
    expect(notices(heard).map(({ code }) => code)).toEqual(['not-json', 'not-an-object', 'request-refused'])
    expect(texts(heard)).toEqual(['Still here.'])
  })
})
