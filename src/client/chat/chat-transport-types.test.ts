import type { ChatTransport as Latest7, UIMessage as Message7 } from 'ai'
import type { ChatTransport as First6, UIMessage as FirstMessage6 } from 'ai-6-0-0'
import type { ChatTransport as First7, UIMessage as FirstMessage7 } from 'ai-7-0-0'
import type { ChatTransport as Latest6, UIMessage as Message6 } from 'ai6'
import { describe, expect, it } from 'vitest'
import { createClient } from '../create-client.ts'
import { createChatTransport } from './create-chat-transport.ts'

describe('createChatTransport', () => {
  it('[C1] fits the types of every release', () => {
    const transport = createChatTransport(createClient({ url: 'http://127.0.0.1:1' }))
    const first6: First6<FirstMessage6> = transport
    const latest6: Latest6<Message6> = transport
    const first7: First7<FirstMessage7> = transport
    const latest7: Latest7<Message7> = transport
    expect(new Set<unknown>([first6, latest6, first7, latest7]).size).toBe(1)
  })
})
