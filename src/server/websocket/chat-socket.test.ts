import { WebSocketChatTransport } from 'ai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Chunk } from '../../protocol/chunk.ts'
import { foldMessage } from '../../projections/fold-message.ts'
import { createPuppet } from '../../sessions/puppet.fixture.ts'
import { eventually, openServed, type Served } from '../streams/served.fixture.ts'
import { openSdkChat, textOf } from '../ui-message-stream/sdk-chat.fixture.ts'
import { talk } from './talk.fixture.ts'

/** The stock transport, with the token in the handshake as a program has it. */
function transportTo(served: Served): WebSocketChatTransport<never> {
  const { headers } = served
  class WithToken extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols, { headers })
    }
  }
  const transport = new WebSocketChatTransport<never>({
    url: `${served.url}/api/chat/ws`,
    webSocket: WithToken as never,
  })
  onTestFinished(() => transport.close())
  return transport
}

const user = (id: string, text: string) => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const send = (requestId: string, id: string, text: string) => ({
  type: 'send',
  requestId,
  id,
  trigger: 'submit-message',
  messages: [user(`${requestId}-u`, text)],
  headers: {},
  body: {},
})

describe('/api/chat/ws', () => {
  it('[C1] serves the stock transport: prompts, several chats at once, and regenerated answers', async () => {
    const served = await openServed()
    const transport = transportTo(served)
    const ids = await Promise.all(['a', 'b', 'c'].map(id => served.session(id)))
    const chats = ids.map(id => openSdkChat(served, '7.x', id, { transport }))
    await Promise.all(chats.map(chat => chat.sendMessage({ text: 'Show me tools' })))
    for (const chat of chats) {
      expect(chat.error).toBeUndefined()
      const kept = (await served.call('listMessages', { params: { session: chat.id } })).json.messages
      expect(textOf(chat.messages.at(-1))).toContain('Two worked')
      expect(JSON.parse(JSON.stringify(chat.messages.at(-1)))).toEqual(kept.at(-1))
    }
    await chats[0]?.regenerate()
    expect(chats[0]?.messages).toHaveLength(2)
    expect(chats[0]?.error).toBeUndefined()
  })

  it('[C1] resumes after a lost connection, and streams nothing if nothing runs', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const agent = createPuppet({
      async act({ say }) {
        say({ t: 'begin' })
        say({ t: 'say', text: 'one ' })
        await released
        say({ t: 'say', text: 'two' })
        say({ t: 'end' })
      },
    })
    const served = await openServed({ agents: [agent] })
    const transport = transportTo(served)
    const chat = openSdkChat(served, '7.x', 'c', { transport })
    const sending = chat.sendMessage({ text: 'go' })
    await eventually(() => textOf(chat.messages.at(-1))).toBe('one ')
    transport.close()
    await sending
    const resuming = chat.resumeStream()
    await eventually(() => chat.status).toBe('streaming')
    release()
    await resuming
    expect(textOf(chat.messages.at(-1))).toBe('one two')
    expect(chat.messages).toHaveLength(2)
    await chat.resumeStream()
    expect(chat.status).toBe('ready')
  })

  it('[T5] an abort ends the stream and never stops the agent', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const agent = createPuppet({
      async act({ say }) {
        say({ t: 'begin' })
        await released
        say({ t: 'say', text: 'done' })
        say({ t: 'end' })
      },
    })
    const served = await openServed({ agents: [agent] })
    const one = await talk(served, '/api/chat/ws')
    one.say(send('r', 'c', 'go'))
    await one.until(frames => frames.some(({ type }) => type === 'chunk'))
    one.say({ type: 'abort', requestId: 'r' })
    one.say('no frame, which is answered after the abort')
    await one.until(frames => frames.some(({ type }) => type === 'error'))
    const had = one.frames.length
    release()
    const messages = async () =>
      (await served.call('listMessages', { params: { session: 'c' } })).json.messages
    await eventually(async () => JSON.stringify(await messages())).toContain('"done"')
    expect(one.frames.length).toBe(had)
  })

  it('[P1] numbers chunks from 0 without gaps, between a start and an end', async () => {
    const served = await openServed({ agents: [createPuppet()] })
    const one = await talk(served, '/api/chat/ws?dialect=v7')
    one.say(send('r', 'c', 'one two three'))
    await one.until(frames => frames.some(({ type }) => type === 'end'))
    expect(one.frames[0]).toEqual({ type: 'start', requestId: 'r' })
    expect(one.frames.at(-1)).toEqual({ type: 'end', requestId: 'r' })
    const chunks = one.frames.filter(({ type }) => type === 'chunk')
    expect(chunks.map(frame => frame['sequence'])).toEqual(chunks.map((_, index) => index))
    expect(foldMessage(chunks.map(frame => frame['chunk'] as Chunk)).parts.length).toBeGreaterThan(3)
  })

  it('[R2] answers an invalid request with an error, and stays open', async () => {
    const served = await openServed({ agents: [createPuppet()] })
    const one = await talk(served, '/api/chat/ws')
    const wrong = [
      'no json',
      { type: 'send', requestId: 'r' },
      { ...send('r', 'c', 'x'), messages: 'none' },
      { ...send('r', 'a b', 'x') },
      { ...send('r', 'c', 'x'), body: { cwd: '/etc' } },
      { type: 'resume', requestId: 'r', id: '\r\n' },
      { type: 'unknown', requestId: 'r' },
    ]
    for (const frame of wrong) one.say(frame)
    await one.until(frames => frames.length === wrong.length)
    for (const frame of one.frames)
      expect(frame).toMatchObject({ type: 'error', errorText: expect.stringMatching(/\.$/) })
    one.say({ type: 'resume', requestId: 'q', id: 'never-seen' })
    expect(await one.next('no-active')).toEqual({ type: 'no-active', requestId: 'q' })
    one.say(send('r', 'c', 'x'))
    await one.next('end')
  })

  it('[O1] closes when the server stops, so that the client reconnects', async () => {
    const served = await openServed({ agents: [createPuppet()] })
    const one = await talk(served, '/api/chat/ws')
    await served.stop()
    expect(await one.closed).toBe(1001)
    expect(one.frames).toEqual([])
  })
})
