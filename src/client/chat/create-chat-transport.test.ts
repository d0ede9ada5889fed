import { describe, expect, it, onTestFinished } from 'vitest'
import { createPrompter } from '../../server/ui-message-stream/chat.fixture.ts'
import {
  openSdkChat,
  releases,
  textOf,
  type HeldMessage,
} from '../../server/ui-message-stream/sdk-chat.fixture.ts'
import { eventually, openServed, type Served } from '../../server/streams/served.fixture.ts'
import { createClient, type ClientOptions } from '../create-client.ts'
import { createChatTransport } from './create-chat-transport.ts'

function connect({ url, dragoman }: Served, options: ClientOptions = {}) {
  const client = createClient({ url, token: dragoman.token, timing: { retryFirstMs: 5 }, ...options })
  onTestFinished(() => client.close())
  return client
}

/** Cuts each response of a chat after the given number of bytes; the last number is for all that follow. */
function cutting(...bytes: readonly number[]): typeof fetch {
  let count = 0
  return async (...given) => {
    const response = await fetch(...given)
    if (!(given[0] as string).includes('/api/chat') || response.body === null) return response
    const most = bytes[Math.min(count++, bytes.length - 1)] ?? 0
    let seen = 0
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        const rest = most - seen
        seen += piece.length
        if (rest > 0) controller.enqueue(piece.slice(0, rest))
        if (seen >= most) controller.error(new TypeError('network error'))
      },
    })
    return new Response(response.body.pipeThrough(cut), response)
  }
}

/** Messages as they can be compared: the first releases do not keep the ids of reasoning. */
const plain = (messages: readonly unknown[]) =>
  JSON.parse(JSON.stringify(messages), (_, value: { readonly type?: string; readonly id?: string } | null) =>
    value?.type === 'reasoning' ? { ...value, id: undefined } : value,
  ) as readonly HeldMessage[]

/** What the server keeps of a session. */
const kept = async (served: Served, session: string) =>
  plain((await served.call('listMessages', { params: { session } })).json.messages)

describe.each(releases)('createChatTransport with the AI SDK %s', release => {
  it('[C1] sends a prompt and streams the answer that the server stores', async () => {
    const served = await openServed()
    const transport = createChatTransport(connect(served), { agent: 'scripted' })
    const chat = openSdkChat(served, release, await served.session('c'), { transport })
    await chat.sendMessage({ text: 'thinking, tools and todos' })
    await chat.sendMessage({ text: 'an image' })
    expect(chat.error).toBeUndefined()
    expect(plain(chat.messages)).toEqual(await kept(served, 'c'))
    const fresh = openSdkChat(served, release, 'never-seen', { transport })
    await fresh.sendMessage({ text: 'an error' })
    expect((await kept(served, 'never-seen')).map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('[T3] streams the same answer when the connection is lost at any point', async () => {
    const served = await openServed()
    let followed = 0
    for (const bytes of [0, 1, 300, 700, 1500, 3000, 5000, 20_000]) {
      const client = connect(served, { fetch: cutting(bytes, bytes + 100, 1_000_000) })
      client.connection.subscribe(({ state }) => (followed += Number(state === 'open')))
      const { id } = await client.createSession({ options: { pace: 0.05 } })
      const chat = openSdkChat(served, release, id, { transport: createChatTransport(client) })
      await chat.sendMessage({ text: 'thinking, tools, an image and todos' })
      expect(chat.error).toBeUndefined()
      expect(plain(chat.messages)).toEqual(await kept(served, id))
    }
    // Some must have continued from the journal, or nothing was tested.
    expect(followed).toBeGreaterThan(2)
  })

  it('[C1] resumes a running answer after a reload, and nothing when none runs', async () => {
    const { agent, release: letEnd } = createPrompter()
    const served = await openServed({ agents: [agent] })
    const transport = createChatTransport(connect(served))
    expect(await transport.reconnectToStream({ chatId: 'nobody' })).toBeNull()
    const before = openSdkChat(served, release, 'c', { transport })
    void before.sendMessage({ text: 'one' })
    await eventually(() => textOf(before.messages[1])).toBe('begin one')
    await before.stop()
    const [prompt] = before.messages
    const after = openSdkChat(served, release, 'c', {
      transport: createChatTransport(connect(served)),
      messages: prompt === undefined ? [] : [prompt],
    })
    const resumed = after.resumeStream()
    await eventually(() => textOf(after.messages[1])).toBe('begin one')
    await letEnd('one')
    await resumed
    expect(plain(after.messages)).toEqual(await kept(served, 'c'))
    expect(await transport.reconnectToStream({ chatId: 'c' })).toBeNull()
  })

  it('[T6] answers an approval while the answer streams, and stops the agent', async () => {
    const served = await openServed()
    const transport = createChatTransport(connect(served))
    const chat = openSdkChat(served, release, await served.session('c'), { transport })
    const sent = chat.sendMessage({ text: 'an approval' })
    const asked = () =>
      chat.messages.flatMap(({ parts }) => parts).find(({ state }) => state === 'approval-requested')
    await eventually(() => asked()?.type).toBe('dynamic-tool')
    const { id = '' } = (asked()?.['approval'] ?? {}) as { readonly id?: string }
    await transport.answer('c', id, { approved: true })
    await sent
    expect(textOf(chat.messages[1])).toMatch(/Thank you for deciding/)

    const hanging = chat.sendMessage({ text: 'a hang' })
    await eventually(() => chat.status).toBe('streaming')
    await transport.stop('c')
    await hanging
    const { json } = await served.call('getSession', { params: { session: 'c' } })
    expect(json.status).toBe('idle')
  })

  it('[C1] does not stop the agent when the page stops reading', async () => {
    const { agent, release: letEnd } = createPrompter()
    const served = await openServed({ agents: [agent] })
    const chat = openSdkChat(served, release, 'c', { transport: createChatTransport(connect(served)) })
    const sent = chat.sendMessage({ text: 'one' })
    await eventually(() => textOf(chat.messages[1])).toBe('begin one')
    await chat.stop()
    await sent
    expect((await served.call('getSession', { params: { session: 'c' } })).json.status).toBe('running')
    await letEnd('one')
  })

  it('[T6] replaces the messages after an edited prompt', async () => {
    const served = await openServed()
    const transport = createChatTransport(connect(served))
    const chat = openSdkChat(served, release, await served.session('c'), { transport })
    await chat.sendMessage({ text: 'hello' })
    await chat.sendMessage({ text: 'todos', messageId: chat.messages[0]?.id ?? '' })
    expect(chat.error).toBeUndefined()
    expect(chat.messages).toHaveLength(2)
    await chat.regenerate()
    const [, answer] = await kept(served, 'c')
    expect(plain(chat.messages.slice(1))).toEqual([answer])
  })
})
