import fc from 'fast-check'
import { expect, it } from 'vitest'
import { handoverMarks, withoutHandover } from '../protocol/handover.ts'
import type { Message, MessagePart } from '../protocol/message.ts'
import { leastTranscript, renderTranscript } from './transcript.ts'

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', '😀', '\n', handoverMarks.end), maxLength: 400 }),
)
const call = { type: 'dynamic-tool', toolCallId: 'c' } as const
const part: fc.Arbitrary<MessagePart> = fc.oneof(
  words.map(text => ({ type: 'text' as const, text })),
  words.map(text => ({ type: 'reasoning' as const, text: `secret ${text}` })),
  fc.tuple(words, words).map(([toolName, output]) => ({
    ...call,
    toolName,
    state: 'output-available' as const,
    input: { output },
    output,
  })),
  words.map(errorText => ({
    ...call,
    toolName: 't',
    state: 'output-error' as const,
    input: undefined,
    errorText,
  })),
)
const told = fc
  .tuple(fc.constantFrom<Message['role']>('user', 'assistant'), fc.array(part, { maxLength: 4 }))
  .map(([role, parts]) => ({ message: { id: 'm', role, parts }, agent: 'an agent' }))
const conversation = fc.array(told, { maxLength: 30 })
const limit = fc.integer({ min: leastTranscript, max: 20_000 })

it('[A13] a transcript is bounded, has only whole characters, is always the same, and never poses as the user', () => {
  fc.assert(
    fc.property(conversation, limit, fc.nat(9), words, (messages, most, earlier, next) => {
      const transcript = renderTranscript(messages, { limit: most, earlier })
      const { text } = transcript
      expect(text.length).toBeLessThanOrEqual(most)
      expect(transcript.characters).toBe(text.length)
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toContain('secret')
      expect(renderTranscript(messages, { limit: most, earlier })).toEqual(transcript)
      const own = next.replace(/^\n+/, '')
      expect(withoutHandover(`${text}\n\n${own}`)).toBe(own)
      expect(withoutHandover(text)).toBe('')
    }),
  )
})

it('[A13] it keeps the order and the newest messages, and counts the omitted ones', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3000), { minLength: 1, maxLength: 40 }), limit, (lengths, most) => {
      const messages = lengths.map((length, index) => ({
        message: {
          id: `${index}`,
          role: 'user' as const,
          parts: [{ type: 'text' as const, text: `number ${index};${'x'.repeat(length)}` }],
        },
        agent: '',
      }))
      const { text, messages: kept, omitted } = renderTranscript(messages, { limit: most, earlier: 2 })
      const numbers = [...text.matchAll(/number (\d+);/g)].map(([, index]) => Number(index))
      expect(numbers).toEqual(lengths.map((_, index) => index).slice(lengths.length - kept))
      expect(kept).toBeGreaterThan(0)
      expect(omitted).toBe(lengths.length - kept + 2)
      expect(text).toContain(`(${omitted} earlier messages were left out.)`)
    }),
  )
})
