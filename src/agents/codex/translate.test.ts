import { describe, expect, it } from 'vitest'
import type { Chunk } from '../../protocol/chunk.ts'
import { partsOf } from '../kit/lossless.fixture.ts'
import {
  begins,
  command,
  completes,
  delta,
  translated,
  translatedRecording,
  inTurn,
  sums,
  text,
  notification,
  turnBegins,
  turnEnds,
  type Translated,
} from './talk.fixture.ts'

const texts = (result: Translated) => partsOf(result, 'text').map(part => part.text)
const types = (chunks: readonly Chunk[]) => chunks.map(({ type }) => type)
const notices = (result: Translated) => partsOf(result, 'data-notice').map(({ data }) => data)
const usage = (result: Translated) => partsOf(result, 'data-usage').map(({ data }) => data.tokens.input)

describe('messages', () => {
  it('[P2] one turn is one message, which includes notices from before the turn', () => {
    const result = translated(
      notification('configWarning', { summary: 'No bubblewrap.', details: null }),
      turnBegins(),
      text('a', 'Hello'),
      turnEnds(),
      turnBegins('V'),
      text('a', 'Hello'),
      turnEnds('completed', {}, 'V'),
    )
    expect(result.messages).toHaveLength(2)
    expect(texts(result)).toEqual(['Hello', 'Hello'])
    expect(notices(result)).toEqual([{ level: 'warning', code: 'config-warning', message: 'No bubblewrap.' }])
  })

  it('[A3] lines before the first answer are shown, also if no answer follows', () => {
    const lost = [
      notification('warning', { message: 'x' }),
      'garbage',
      '{"type":"item.completed","words":"kept"}',
    ]
    const result = translated(...lost)
    expect(result.messages).toHaveLength(1)
    expect(notices(result).map(({ code }) => code)).toEqual(['warning', 'not-json'])
    expect(JSON.stringify(partsOf(result, 'data-unknown'))).toContain('kept')
    expect(result.messages[0]?.message.metadata).toMatchObject({ reason: 'interrupted' })
    expect(translated(...lost, turnBegins(), text('a', 'Hello'), turnEnds()).messages).toHaveLength(1)
  })

  it('[P5] a text that never completes is closed with the turn, and a late delta opens nothing', () => {
    const result = translated(
      turnBegins(),
      delta('a', 'One '),
      delta('a', 'two'),
      turnEnds('interrupted'),
      delta('a', ' three'),
    )
    expect(texts(result)).toEqual(['One two'])
    expect(result.messages[0]?.message.metadata).toMatchObject({ reason: 'interrupted', duration: 5 })
    expect(types(result.main).filter(type => type === 'start')).toHaveLength(1)
  })

  it('[P5] an item that completes after its turn adds the rest to its message', () => {
    const result = translated(turnBegins(), delta('a', 'Hel'), turnEnds(), text('a', 'Hello'))
    expect(texts(result).join('')).toBe('Hello')
    expect(result.messages).toHaveLength(1)
  })

  it('[P2] a plan may open and close within a text', () => {
    const result = inTurn(
      delta('a', 'So: '),
      notification('item/plan/delta', { itemId: 'p', delta: '# Plan' }),
      completes({ type: 'plan', id: 'p', text: '# Plan' }),
      delta('a', 'good?'),
      text('a', 'So: good?', {
        item: { type: 'agentMessage', id: 'a', text: 'So: good?', phase: 'final_answer' },
      }),
    )
    expect(partsOf(result, 'text')).toMatchObject([
      { text: 'So: good?', providerMetadata: { codex: { phase: 'final_answer' } } },
      { text: '# Plan', providerMetadata: { codex: { type: 'plan' } } },
    ])
  })

  it('[P2] thinking has a part for each summary and for the raw content; empty deltas are ignored', () => {
    const thinks = (kind: string, index: string, at: number, content: string) =>
      notification(`item/reasoning/${kind}`, { itemId: 'r', [index]: at, delta: content })
    const result = inTurn(
      notification('item/reasoning/summaryPartAdded', { itemId: 'r', summaryIndex: 0 }),
      thinks('summaryTextDelta', 'summaryIndex', 0, ''),
      thinks('summaryTextDelta', 'summaryIndex', 0, 'One'),
      notification('item/reasoning/summaryPartAdded', { itemId: 'r', summaryIndex: 1 }),
      thinks('textDelta', 'contentIndex', 0, 'raw'),
      completes({ type: 'reasoning', id: 'r', summary: ['One', 'Two'], content: ['raw'] }),
    )
    expect(partsOf(result, 'reasoning').map(part => part.text)).toEqual(['One', 'raw', 'Two'])
  })

  it('[P7] the items at the end of a turn are not repeated, and neither is an unchanged diff', () => {
    const diff = notification('turn/diff/updated', { diff: '+a' })
    const newer = notification('turn/diff/updated', { diff: '+a\n+b' })
    const item = { type: 'agentMessage', id: 'a', text: 'Hi' }
    const result = translated(
      turnBegins(),
      text('a', 'Hi'),
      diff,
      diff,
      newer,
      turnEnds('completed', { items: [item] }),
    )
    expect(texts(result)).toEqual(['Hi'])
    expect(notices(result)).toEqual([{ level: 'info', code: 'turn-diff', message: '+a\n+b' }])
    expect(types(result.main).filter(type => type === 'data-notice')).toHaveLength(2)
  })

  it('[P2] a plan is shown as todos, with the reason of its change', () => {
    const plan = [
      { step: 'Look', status: 'completed' },
      { step: 'Act', status: 'inProgress' },
    ]
    const result = inTurn(notification('turn/plan/updated', { plan, explanation: 'Because.' }))
    const todos = [
      { text: 'Look', status: 'completed' },
      { text: 'Act', status: 'in-progress' },
    ]
    expect(partsOf(result, 'data-todos')).toMatchObject([{ data: { todos } }])
    expect(notices(result)).toMatchObject([{ code: 'plan', message: 'Because.' }])
  })

  it('[A3] output outside of any answer is a separate, finished message', () => {
    const result = translated(begins(command('c')), completes(command('c', { status: 'completed' })))
    expect(types(result.main).filter(type => type === 'finish')).toHaveLength(2)
    expect(result.messages).toHaveLength(1)
  })
})

describe('usage', () => {
  it('[P7] is the growth of the totals: repeated numbers count once, earlier turns not at all', () => {
    const earlier = { turnId: 'long ago' }
    const result = translated(
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
    expect(usage(result)).toEqual([150, 150])
    expect(result.messages[0]?.message.metadata).toMatchObject({ tokens: { input: 150, output: 150 } })
  })

  it('[P7] without an earlier total, the usage of the last request gives the start of the turn', () => {
    expect(usage(translated(turnBegins(), sums(450, 150), sums(600, 150), turnEnds()))).toEqual([300])
  })

  it('[P7] counts cached tokens separately, and ends a step with each request', () => {
    const total = {
      inputTokens: 120,
      cachedInputTokens: 20,
      cacheWriteInputTokens: 10,
      outputTokens: 30,
      reasoningOutputTokens: 5,
    }
    const result = inTurn(
      text('a', 'One'),
      notification('thread/tokenUsage/updated', { tokenUsage: { total, last: total } }),
      text('b', 'Two'),
    )
    const tokens = { input: 90, output: 30, cacheRead: 20, cacheWrite: 10 }
    expect(partsOf(result, 'data-usage')).toMatchObject([{ data: { tokens, cost: null, model: 'm' } }])
    expect(result.messages[0]?.message.metadata).toMatchObject({ codex: { reasoningTokens: 5 } })
    expect(types(result.main).filter(type => type === 'start-step')).toHaveLength(2)
  })
})

describe('trouble', () => {
  const failed = (error: Parameters<typeof turnEnds>[1]) =>
    translated(turnBegins(), turnEnds('failed', error)).messages[0]?.message.metadata?.['error']

  it('[P7] an error that is retried is a notice, and retracts the incomplete text', () => {
    const error = { message: 'Reconnecting... 1/2', additionalDetails: 'stream disconnected' }
    const result = inTurn(
      text('z', 'Kept.'),
      delta('a', 'This is c'),
      notification('error', { error, willRetry: true }),
      text('b', 'This is whole.'),
    )
    expect(texts(result)).toEqual(['Kept.', 'This is whole.'])
    expect(notices(result)).toEqual([
      { level: 'warning', code: 'retrying', message: 'Reconnecting... 1/2 (stream disconnected)' },
    ])
  })

  it('[P7] a final error is shown once, at the end of the turn, with a kind and a sentence', () => {
    const body = JSON.stringify({ error: { message: 'Not like this.', type: 'x' } })
    const error = { message: body, codexErrorInfo: 'other' }
    const result = translated(
      turnBegins(),
      notification('error', { error, willRetry: false }),
      turnEnds('failed', { error }),
    )
    expect(types(result.main)).toEqual(['start', 'data-session', 'message-metadata', 'error', 'finish'])
    expect(failed({ error })).toEqual({ kind: 'other', message: 'Not like this.' })
    expect(
      failed({
        error: { message: 'No.', codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 401 } } },
      }),
    ).toEqual({ kind: 'httpConnectionFailed', message: 'No. (HTTP 401)' })
    expect(failed({ error: null })).toMatchObject({ kind: 'other' })
  })

  it('[P7] an incomplete text stays if there is no retry', () => {
    expect(texts(translatedRecording('stream-drop-final')).join('')).toBe('This will be cut')
    expect(texts(translatedRecording('stream-drop-retry'))).toEqual(['This is whole.'])
  })

  it('[A3] [R2] unknown lines are shown, and the answer continues', () => {
    const result = inTurn(
      'Segmentation fault',
      '[1]',
      '{"neither":"nor"}',
      notification('brand/new', { thing: 1 }),
      '{"id":7,"method":"brand/newRequest","params":{}}',
      '{"id":9,"error":{"code":-32600,"message":"no active turn"}}',
      completes({ type: 'brandNew', id: 'n', field: 'kept' }),
      notification('item/started', { item: 7 }),
      notification('item/agentMessage/delta', { itemId: {}, delta: 3 }),
      text('a', 'Still here.'),
    )
    const unknown = partsOf(result, 'data-unknown').map(({ data }) => data.kind)
    expect(unknown).toEqual(['untyped', 'brand/new', 'brand/newRequest', 'item brandNew'])
    expect(JSON.stringify(result.messages)).toContain('"field":"kept"')
    expect(notices(result).map(({ code }) => code)).toEqual(['not-json', 'not-an-object', 'request-refused'])
    expect(texts(result)).toEqual(['Still here.'])
  })
})
