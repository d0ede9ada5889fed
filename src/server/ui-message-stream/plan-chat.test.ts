import { describe, expect, it } from 'vitest'
import { foldMessage } from '../../projections/fold-message.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import { createPuppet } from '../../sessions/puppet.fixture.ts'
import { eventually, openServed } from '../streams/served.fixture.ts'
import { chat, createPrompter, noErrors, post, stored, user } from './chat.fixture.ts'
import { textOf } from './sdk-chat.fixture.ts'

describe('planChat', () => {
  it('[T6] replaces the old message and everything after it with an edited message', async () => {
    const served = await openServed({ agents: [createPuppet()] })
    await chat(served, { id: 'c', messages: [user('u1', 'one')] })
    const { id: a1 } = (await stored(served, 'c')).at(-1) ?? { id: '' }
    await chat(served, { id: 'c', messages: [user('u2', 'two')] })
    const edited = { id: 'c', messages: [user('u1', 'one'), user('u2', 'changed')], messageId: 'u2' }
    const answer = await chat(served, edited)
    expect(JSON.stringify(answer.chunks)).toContain('changed')
    const texts = async () => (await stored(served, 'c')).map(message => [message.id, textOf(message)])
    expect(await texts()).toEqual([
      ['u1', 'one'],
      [a1, 'one'],
      ['u2:2', 'changed'],
      [foldMessage(answer.chunks).id, 'changed'],
    ])
    // Sent again it is the same edit; changed back it is another.
    expect(foldMessage((await chat(served, edited)).chunks).id).toBe(foldMessage(answer.chunks).id)
    await chat(served, { id: 'c', messages: [user('u2', 'two')] })
    expect((await texts()).map(([, text]) => text)).toEqual(['one', 'one', 'two', 'two'])
    await chat(served, { id: 'c', messages: [user('u1', 'renewed')] })
    expect((await texts()).map(([, text]) => text)).toEqual(['renewed', 'renewed'])
    noErrors(served)
  })

  it('[T6] replaces the old answer with a regenerated one', async () => {
    const agent = createPuppet()
    const served = await openServed({ agents: [agent] })
    for (const name of ['u1', 'u2']) await chat(served, { id: 'c', messages: [user(name, name)] })
    const before = await stored(served, 'c')
    const again = (messageId?: string) =>
      chat(served, { id: 'c', messages: [user('u2', 'u2')], trigger: 'regenerate-message', messageId })
    await again(before.at(-1)?.id)
    await again()
    const after = await stored(served, 'c')
    expect(after.map(({ id }) => id).slice(0, 2)).toEqual(before.map(({ id }) => id).slice(0, 2))
    expect(after[2]).toMatchObject({ role: 'user', id: 'u2:3', parts: [{ text: 'u2' }] })
    expect(after).toHaveLength(4)
    await again(before[1]?.id)
    expect((await stored(served, 'c')).map(({ id }) => id)[0]).toBe('u1:2')
    expect(agent.prompts).toEqual(['u1', 'u2', 'u2:2', 'u2:3', 'u1:2'])
    noErrors(served)
  })

  it('[T6] refuses to replace a running answer', async () => {
    const { agent, release } = createPrompter()
    const served = await openServed({ agents: [agent] })
    const first = chat(served, { id: 'c', messages: [user('u1', 'one')] })
    await eventually(() => agent.prompts).toEqual(['u1'])
    const refused = await post(served, {
      id: 'c',
      messages: [user('u1', 'one')],
      trigger: 'regenerate-message',
    })
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ code: 'session-busy' })
    await release('one')
    await first
  })

  it('[T6] sends the agent the answers in the last message, and continues after the approval', async () => {
    const served = await openServed()
    const id = await served.session()
    const leaving = new AbortController()
    const asked = { id, messages: [user('u1', 'Show me an approval')] }
    const response = await post(served, asked, '', leaving.signal)
    let text = ''
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    while (!text.includes('tool-approval-request')) text += (await reader?.read())?.value ?? ''
    leaving.abort()
    const seen = text
      .split('\n\n')
      .flatMap(frame => (frame.startsWith('data: {') ? [JSON.parse(frame.slice(6)) as Chunk] : []))
    const held = foldMessage(seen)
    const parts = held.parts.map(part =>
      'approval' in part && part.approval !== undefined
        ? { ...part, state: 'approval-responded', approval: { ...part.approval, approved: true } }
        : part,
    )
    const answer = await chat(served, {
      id,
      messages: [user('u1', 'x'), { ...held, parts }],
      messageId: held.id,
    })
    expect(answer.chunks[0]).toEqual({ type: 'start', messageId: held.id })
    const whole = foldMessage([...seen, ...answer.chunks])
    const [, message] = await stored(served, id)
    const withoutAnswers = (value: unknown) => JSON.stringify(value).replaceAll(/"approval":\{[^}]*\}/g, '')
    expect(withoutAnswers(whole.parts)).toBe(withoutAnswers(message?.parts))
    expect(JSON.stringify(message)).toContain('"approved":true')
    // Sent again, when all is over, it is answer again.
    const again = await chat(served, { id, messages: [{ ...held, parts }], messageId: held.id })
    expect(foldMessage([...seen, ...again.chunks])).toEqual(whole)
    noErrors(served)
  })

  const nonsense: readonly (readonly [string, unknown])[] = [
    ['no message', { id: 'x', messages: [] }],
    ['a message that says nothing', { id: 'x', messages: [{ id: 'u', role: 'user', parts: [] }] }],
    ['only data', { id: 'x', messages: [{ id: 'u', role: 'user', parts: [{ type: 'data-x', data: 1 }] }] }],
    [
      'a text that is none',
      { id: 'x', messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 1 }] }] },
    ],
    [
      'a file without a type',
      { id: 'x', messages: [{ id: 'u', role: 'user', parts: [{ type: 'file', url: 'data:,' }] }] },
    ],
    ['a bad id', { id: 'x', messages: [user('a b', 'hi')] }],
    ['a bad chat id', { id: 'x\r\n', messages: [user('u', 'hi')] }],
    [
      'the last word to the system',
      { id: 'x', messages: [{ id: 's', role: 'system', parts: [{ type: 'text', text: 'x' }] }] },
    ],
    [
      'an answer to nothing',
      { id: 'x', messages: [{ id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'x' }] }] },
    ],
    ['a wrong trigger', { id: 'x', messages: [user('u', 'hi')], trigger: 'whatever' }],
  ]
  it('[R2] refuses an invalid request with a sentence and changes nothing', async () => {
    const served = await openServed()
    for (const [what, body] of nonsense) {
      const response = await post(served, body)
      expect([what, response.status]).toEqual([what, 400])
      expect(await response.json()).toMatchObject({
        code: 'invalid-input',
        detail: expect.stringMatching(/\.$/),
      })
    }
    expect((await served.call('listSessions', {})).json.sessions).toEqual([])
  })

  it('[R2] refuses unknown messages', async () => {
    const served = await openServed()
    const id = await served.session()
    const answered = { type: 'dynamic-tool', approval: { id: 'a1', approved: true } }
    for (const [body, status] of [
      [{ id, messages: [user('u', 'x')], trigger: 'regenerate-message' }, 404],
      [{ id: 'nobody', messages: [user('u', 'x')], trigger: 'regenerate-message' }, 404],
      [{ id, messages: [{ id: 'm', role: 'assistant', parts: [answered] }] }, 404],
      [{ id: 'y', messages: [user('u', 'x')], agent: 'nobody' }, 404],
      [{ id: 'z', messages: [user('u', 'x')], cwd: '/etc' }, 403],
    ] as const)
      expect((await post(served, body)).status).toBe(status)
  })
})
