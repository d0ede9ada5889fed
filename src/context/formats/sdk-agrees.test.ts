import { modelMessageSchema, safeValidateUIMessages } from 'ai'
import { modelMessageSchema as modelMessageSchema6 } from 'ai6'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { documents } from './arbitrary/documents.arbitrary.ts'
import { judged } from './arbitrary/judged.fixture.ts'
import { wild } from './arbitrary/wild.arbitrary.ts'
import { formats } from './codecs.ts'
import { findInvalid, read, toModelMessages, write } from './index.ts'

describe('the AI SDK accepts our documents', () => {
  for (const from of formats.filter(format => format !== 'ui-messages'))
    it(`[X6] ${from} → UI messages, by the SDK’s own check`, async () => {
      await fc.assert(
        fc.asyncProperty(documents[from], async json => {
          const { json: messages } = write(read(from, json), 'ui-messages')
          const checked = await safeValidateUIMessages({ messages })
          expect(checked.success ? '' : checked.error.message).toBe('')
        }),
        { numRuns: 40 },
      )
    })

  it('[X6] our check of UI messages agrees with that of the SDK', async () => {
    const agrees = async (messages: Json) => {
      const { success } = await safeValidateUIMessages({ messages })
      // The SDK does not mind two calls of one id; every provider does.
      const faults = findInvalid('ui-messages', messages).filter(
        fault => !fault.endsWith('two calls with the same id.'),
      )
      expect({ messages, faults: success ? faults : faults.length > 0 }).toEqual({
        messages,
        faults: success ? [] : true,
      })
    }
    for (const { format, document } of judged) if (format === 'ui-messages') await agrees(document)
    await fc.assert(fc.asyncProperty(wild(documents['ui-messages']), agrees), { numRuns: 300 })
  })

  for (const from of formats)
    it(`[X6] ${from} → model messages, by the schemas of v6 and v7`, () => {
      fc.assert(
        fc.property(documents[from], fc.constantFrom(null, 'anthropic' as const), (json, provider) => {
          for (const message of toModelMessages(read(from, json), provider)) {
            expect(modelMessageSchema.safeParse(message).error).toBeUndefined()
            expect(modelMessageSchema6.safeParse(message).error).toBeUndefined()
          }
        }),
        { numRuns: 60 },
      )
    })

  it('[X6] every call in model messages has its result in the next message', () => {
    fc.assert(
      fc.property(documents['ui-messages'], json => {
        const messages = toModelMessages(read('ui-messages', json)) as readonly {
          readonly role: string
          readonly content: readonly { readonly type: string; readonly toolCallId?: string }[]
        }[]
        const idsOf = (at: number, type: string) =>
          (messages[at]?.content ?? []).filter(part => part.type === type).map(part => part.toolCallId)
        for (const [at, { role }] of messages.entries())
          if (role === 'assistant')
            expect(new Set(idsOf(at + 1, 'tool-result'))).toEqual(new Set(idsOf(at, 'tool-call')))
      }),
      { numRuns: 200 },
    )
  })

  it('[X6] a thinking model gets its own signature back, and no other signature', () => {
    const conversation = read('anthropic-messages', [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'text', text: 'so' },
        ],
      },
    ])
    expect(toModelMessages(conversation, 'anthropic')[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'sig' } } },
        { type: 'text', text: 'so' },
      ],
    })
    expect(toModelMessages(conversation, 'openai')[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'so' }],
    })
  })
})
