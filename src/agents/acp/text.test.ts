import { describe, expect, it } from 'vitest'
import type { RawMessage } from '../agent.ts'
import {
  chunksOf,
  done,
  messagesOf,
  ofType,
  opened,
  ours,
  prompt,
  text,
  textsOf,
  theirs,
  update,
} from './lines.fixture.ts'

describe('text over ACP', () => {
  it('[P5] thinking and text of one message are two parts, and so are the texts around a tool', () => {
    const call = update('tool_call', { toolCallId: 'c', title: 'x', status: 'completed' })
    const [{ parts } = { parts: [] }] = messagesOf([
      ...opened,
      prompt(),
      update('agent_thought_chunk', { content: { type: 'text', text: 'Hm' }, messageId: 'm' }),
      text('One', 'm'),
      text(' two', 'm'),
      call,
      text('Three', 'm'),
      done(),
    ])
    expect(parts.map(({ type }) => type)).toEqual([
      'data-session',
      'step-start',
      'reasoning',
      'text',
      'dynamic-tool',
      'text',
    ])
  })

  it('[P5] a warning without its own message is separate from the answer', () => {
    expect(textsOf([...opened, prompt(), text('Warning\n\n'), text('Hello', 'm'), done()])).toEqual([
      'Warning\n\n',
      'Hello',
    ])
  })

  it('[P5] a message sent whole adds what is missing, repeats nothing, and retracts what differs', () => {
    const whole = (content: string) =>
      update('agent_message', {
        messageId: 'm',
        content: content === '' ? [] : [{ type: 'text', text: content }],
      })
    const begin = [...opened, prompt(), whole(''), text('Hel', 'm')]
    expect(textsOf([...begin, whole('Hello'), whole('Hello'), done()]).join('')).toBe('Hello')
    expect(textsOf([...begin, whole('Goodbye'), done()])).toEqual(['Goodbye'])
    expect(textsOf([...begin, whole(''), done()])).toEqual([])
    expect(textsOf([...begin, update('agent_message', { messageId: 'm' }), done()])).toEqual(['Hel'])
  })

  it('[P5] text after the end belongs to the last answer when it continues it, and otherwise to a new one', () => {
    const messages = messagesOf([
      ...opened,
      prompt(),
      text('One', 'm'),
      done(),
      text(' more', 'm'),
      text('By the way', 'n'),
      text(', hello', 'n'),
    ])
    const texts = messages.map(({ parts }) =>
      parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(''),
    )
    expect(texts).toEqual(['One more', 'By the way, hello'])
  })

  it('[P2] images are files, resources are documents, and other content is shown as it is', () => {
    const block = (content: Record<string, string | object>) =>
      update('agent_message_chunk', { content: content as never })
    const chunks = chunksOf([
      ...opened,
      prompt(),
      block({ type: 'image', mimeType: 'image/png', data: 'AA==' }),
      block({ type: 'resource_link', uri: 'file:///a/b.txt', name: 'b.txt' }),
      block({ type: 'resource', resource: { uri: 'file:///c.md', mimeType: 'text/markdown', text: '# C' } }),
      block({ type: 'hologram', depth: 'deep' }),
      done(),
    ])
    expect(ofType(chunks, 'file')).toMatchObject([
      { url: 'data:image/png;base64,AA==', mediaType: 'image/png' },
    ])
    expect(ofType(chunks, 'source-document')).toMatchObject([
      { title: 'b.txt' },
      { providerMetadata: { acp: { content: { resource: { text: '# C' } } } } },
    ])
    expect(ofType(chunks, 'data-unknown')).toMatchObject([{ data: { kind: 'content hologram' } }])
  })

  it('[A3] unknown updates, requests and answers are shown as they are, also before the first answer', () => {
    const chunks = chunksOf([
      ...opened,
      update('brand_new', { field: { deep: [1] } }),
      theirs({ id: 9, method: 'their/request', params: { a: 1 } }),
      theirs({ id: 77, result: {} }),
      theirs({ something: 'else' }),
      { from: 'agent', text: 'no json' },
      prompt(),
      update('another', {}),
      done(),
    ])
    expect(ofType(chunks, 'data-unknown').map(({ data }) => data.kind)).toEqual([
      'brand_new',
      'their/request',
      'answer',
      'untyped',
      'another',
    ])
    expect(ofType(chunks, 'data-notice')).toMatchObject([{ data: { code: 'not-json' } }])
    expect(ofType(chunks, 'start')).toHaveLength(1)
  })

  it('[R2] fields of the wrong shape do no harm', () => {
    const odd: readonly RawMessage[] = [
      update('agent_message_chunk', {}),
      update('agent_message_chunk', { content: [1] }),
      update('tool_call', { toolCallId: 5 }),
      update('tool_call', { toolCallId: 'c', title: 4, kind: [], content: 'x', rawInput: null, _meta: 3 }),
      update('tool_call_update', { toolCallId: 'c', status: 'no such', locations: {} }),
      update('plan', { entries: 'x' }),
      update('usage_update', { used: 'x', cost: 7 }),
      update('state_update', {}),
      update('terminal_update', { terminalId: 1 }),
      update('__proto__', {}),
      theirs({ method: 'session/update', params: null }),
      theirs({ id: 4, method: 'session/request_permission', params: [] }),
      ours({ id: 4, result: null }),
    ]
    for (const line of odd) messagesOf([...opened, prompt(), line, done()])
    messagesOf([...opened, prompt(), ...odd, done()])
    messagesOf(odd)
  })
})
