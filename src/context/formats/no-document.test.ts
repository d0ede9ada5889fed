import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import type { Format } from './conversation.ts'
import { findInvalid, formats, read, receive, send, write } from './index.ts'

/** Documents whose messages are not a list, or values that are not documents, and the paths of their texts. */
const none: readonly (readonly [Format, Json, string])[] = [
  ...(['anthropic-messages', 'openai-chat', 'ui-messages'] as const).flatMap(
    (format): readonly (readonly [Format, Json, string])[] => [
      [format, { messages: 'WORDS' }, '/messages'],
      [format, { model: 'm', messages: { a: 'WORDS' } }, '/messages/a'],
    ],
  ),
  ['openai-responses', { input: { a: 'WORDS' } }, '/input/a'],
  ['gemini', { contents: 'WORDS' }, '/contents'],
  ...formats
    // A bare text is a prompt for OpenAI.
    .filter(format => format !== 'openai-responses')
    .map((format): readonly [Format, Json, string] => [format, 'WORDS', '']),
  ...formats.map((format): readonly [Format, Json, string] => [format, { a: 'WORDS' }, '/a']),
]

describe('a value that is not a document', () => {
  for (const [from, document, path] of none)
    it(`[X6] ${from} ${JSON.stringify(document)}: gets messages, and the dropped content is reported`, () => {
      const conversation = read(from, document)
      expect(findInvalid(from, document)).not.toEqual([])
      const loss = { message: null, part: null, path, why: 'unsupported' }
      const home = write(conversation, from)
      expect(findInvalid(from, home.json)).toEqual([])
      // Fields beside the messages stay.
      expect(home.losses).toEqual(path === '/a' ? [] : [loss])
      expect(JSON.stringify(home.json).includes('WORDS')).toBe(path === '/a')
      for (const to of formats.filter(format => format !== from)) {
        const sent = send(conversation, to)
        expect(findInvalid(to, sent.json)).toEqual([])
        expect(sent.losses).toContainEqual(loss)
        expect(write(receive(sent.json, sent), from)).toEqual(home)
      }
    })
})
