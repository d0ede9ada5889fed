import { describe, expect, it } from 'vitest'
import type { Json } from '../../../protocol/json.ts'
import { findInvalid, formats, read, receive, send, write } from '../index.ts'

const text = (said: string): Json => ({ type: 'text', text: said })
const found: Json = {
  type: 'search_result',
  source: 'https://x.example',
  title: 'Found',
  content: [text('FIRST passage'), text('SECOND passage')],
  citations: { enabled: true },
}
const image: Json = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'UE5H' } }
const shown: Json = {
  type: 'document',
  source: { type: 'content', content: [text('THIRD passage'), image] },
  title: 'Shown',
}
const messages = (content: Json): readonly Json[] => [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] },
]

describe('search results and documents of blocks', () => {
  const document = { messages: messages([found, shown]) }
  const conversation = read('anthropic-messages', document)

  it('[X6] keep their text in a result in every format, the rest is reported, and they come back complete', () => {
    expect(write(conversation, 'anthropic-messages')).toEqual({ json: document, losses: [] })
    for (const format of formats.filter(each => each !== 'anthropic-messages')) {
      const sent = send(conversation, format)
      expect(findInvalid(format, sent.json)).toEqual([])
      for (const word of ['FIRST', 'SECOND', 'THIRD'])
        expect([format, word, JSON.stringify(sent.json).includes(`${word} passage`)]).toEqual([
          format,
          word,
          true,
        ])
      expect(sent.losses.map(({ path, why }) => `${path} ${why}`)).toEqual(
        expect.arrayContaining([
          '/content/0/source unsupported',
          '/content/0/content/0/text reshaped',
          '/content/0/citations/enabled unsupported',
          '/content/1/source/content/1/source/data unsupported',
        ]),
      )
      expect(write(receive(sent.json, sent), 'anthropic-messages').json).toEqual(document)
    }
  })

  it('[X6] have the changed text, and nothing of the earlier one', () => {
    const changed = conversation.messages.map(message => ({
      ...message,
      parts: message.parts.map(part =>
        part.kind === 'result'
          ? {
              ...part,
              content: part.content.map(piece => {
                if (piece.kind === 'text') return { ...piece, text: '[cleared]' }
                return piece.kind === 'file' ? { ...piece, source: { text: '[cleared]' } } : piece
              }),
            }
          : part,
      ),
    }))
    const { json } = write({ ...conversation, messages: changed }, 'anthropic-messages')
    expect(findInvalid('anthropic-messages', json)).toEqual([])
    expect(JSON.stringify(json)).not.toContain('passage')
    expect(JSON.stringify(json)).toContain('"title":"Found","content":[{"type":"text","text":"[cleared]"}]')
  })

  it('[X6] are only kept if they have no text', () => {
    const bare = { type: 'document', source: { type: 'content', content: [image] } }
    const { json, losses } = write(
      read('anthropic-messages', { messages: messages([bare, text('x')]) }),
      'gemini',
    )
    expect(findInvalid('gemini', json)).toEqual([])
    expect(losses.length).toBeGreaterThan(0)
  })
})
