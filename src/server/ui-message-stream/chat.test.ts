import { describe, expect, it } from 'vitest'
import { foldMessage } from '../../projections/fold-message.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { createPuppet } from '../../sessions/puppet.fixture.ts'
import { eventually, openServed } from '../streams/served.fixture.ts'
import { chat, createPrompter, noErrors, post, read, resume, stored, user } from './chat.fixture.ts'
import { readWith, sdks } from './sdk-readers.fixture.ts'

describe('POST /api/chat', () => {
  it('[P1] creates a session for an unknown chat, and streams the answer for the AI SDK', async () => {
    const served = await openServed()
    const answer = await chat(served, {
      id: 'new',
      messages: [user('u1', 'Hello')],
      trigger: 'submit-message',
    })
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'x-vercel-ai-ui-message-stream': 'v1',
      'transfer-encoding': 'chunked',
    })
    expect(answer.isDone).toBe(true)
    expect(answer.chunks[0]?.type).toBe('start')
    expect(answer.chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' })
    const messages = await stored(served, 'new')
    expect(messages.map(({ id, role }) => [id, role])).toEqual([
      ['u1', 'user'],
      [foldMessage(answer.chunks).id, 'assistant'],
    ])
    expect(foldMessage(answer.chunks)).toEqual(messages[1])
    noErrors(served)
  })

  it.each(['thinking', 'tools', 'a subagent', 'an image', 'todos', 'an error', 'a crash', 'a retraction'])(
    '[P6] streams %s so that the client has the stored message, in every release',
    async phrase => {
      const served = await openServed()
      const id = await served.session()
      const answer = await chat(served, { id, messages: [user('u1', `Show me ${phrase}`)] })
      const [, message] = await stored(served, id)
      const folded = foldMessage(answer.chunks)
      const isKept = (part: { readonly type: string }) => part.type !== 'data-retracted'
      const kept = { ...message, parts: message?.parts.filter(isKept) }
      if (phrase !== 'a retraction') expect(folded).toEqual(message)
      else expect(folded.parts).toEqual(expect.arrayContaining([...(kept.parts ?? [])]))
      for (const sdk of Object.values(sdks)) await readWith(sdk, answer.chunks)
      expect(answer.isDone).toBe(true)
      noErrors(served)
    },
  )

  it('[T2] runs a repeated prompt once, and streams it again', async () => {
    const { agent, release } = createPrompter()
    const served = await openServed({ agents: [agent] })
    const body = { id: 'c', messages: [user('u1', 'one')] }
    const first = chat(served, body)
    await eventually(() => agent.prompts).toEqual(['u1'])
    const second = chat(served, body)
    await release('one')
    const third = await chat(served, body)
    for (const answer of [await first, await second])
      expect(foldMessage(answer.chunks)).toEqual(foldMessage(third.chunks))
    expect(agent.prompts).toEqual(['u1'])
    noErrors(served)
  })

  it('[T2] continues when the client leaves, and streams everything when it returns', async () => {
    const { agent, release } = createPrompter()
    const served = await openServed({ agents: [agent] })
    const leaving = new AbortController()
    const response = await post(served, { id: 'c', messages: [user('u1', 'one')] }, '', leaving.signal)
    await response.body?.getReader().read()
    leaving.abort()
    const back = await resume(served, 'c')
    await release('one')
    const answer = await read(back)
    expect(answer.isDone).toBe(true)
    expect(foldMessage(answer.chunks)).toEqual((await stored(served, 'c'))[1])
    expect((await resume(served, 'c')).status).toBe(204)
    expect((await resume(served, 'never-seen')).status).toBe(204)
  })

  it('[W3] queues a prompt while another runs, and then streams it', async () => {
    const { agent, release } = createPrompter()
    const served = await openServed({ agents: [agent], limits: { heartbeatMs: 75 } })
    const first = chat(served, { id: 'c', messages: [user('u1', 'one')] })
    await eventually(() => agent.prompts).toEqual(['u1'])
    const posted = await post(served, { id: 'c', messages: [user('u1', 'one'), user('u2', 'two')] })
    const [beats, answer] = posted.body?.tee() ?? []
    const second = read(new Response(answer ?? null))
    const third = chat(served, { id: 'c', messages: [user('u3', 'three')] })
    await eventually(async () => (await served.dragoman.sessions.get('c' as SessionId)).queue.length).toBe(2)
    await beats?.getReader().read()
    await served.call('withdrawPrompt', { params: { session: 'c', prompt: 'u3' } })
    await release('one')
    await release('two')
    const texts = [await first, await second].map(({ chunks }) => JSON.stringify(foldMessage(chunks).parts))
    expect(texts).toEqual([expect.stringContaining('end one'), expect.stringContaining('end two')])
    expect((await second).text).toMatch(/^:\n\n/)
    expect((await third).chunks).toMatchObject([{ type: 'start' }, { type: 'finish', finishReason: 'other' }])
    expect((await third).isDone).toBe(true)
    noErrors(served)
  })

  it('[P1] streams a complete message even if the agent cannot start', async () => {
    const broken = {
      ...createPuppet(),
      connect: () => Promise.reject(new Error('The agent is not at home.')),
    }
    const served = await openServed({ agents: [broken] })
    const answer = await chat(served, { id: 'c', messages: [user('u1', 'one')] })
    expect(answer.chunks.map(({ type }) => type)).toEqual(['start', 'error', 'finish'])
    expect(answer.chunks[1]).toMatchObject({ errorText: expect.stringContaining('not at home') })
    expect(answer.isDone).toBe(true)
    noErrors(served)
  })

  it('[P1] leaves out late chunks of an earlier message', async () => {
    const script = {
      answers: [
        [
          { type: 'text', text: 'Started. ' },
          { type: 'tools', calls: [{ tool: 'Bash', input: {}, output: 'ready', late: true }] },
        ],
        [{ type: 'text', text: 'Next.' }],
      ],
    }
    const served = await openServed()
    const { id } = (await served.call('createSession', { body: { options: { pace: 0, script } } })).json
    const first = await chat(served, { id, messages: [user('u1', 'one')] })
    const second = await chat(served, { id, messages: [user('u2', 'two')] })
    expect(
      new Set(
        [first, second].flatMap(({ chunks }) =>
          chunks.flatMap(each => (each.type === 'start' ? [each.messageId] : [])),
        ),
      ).size,
    ).toBe(2)
    expect(second.chunks.filter(({ type }) => type === 'start')).toHaveLength(1)
    expect(foldMessage(second.chunks)).toEqual((await stored(served, id)).at(-1))
    noErrors(served)
  })

  it('[P1] shortens long outputs and refers to the complete ones', async () => {
    const served = await openServed()
    const script = [{ type: 'long-output', length: 200_000 }]
    const { id } = (await served.call('createSession', { body: { options: { pace: 0, script } } })).json
    const answer = await chat(served, { id, messages: [user('u1', 'one')] })
    const short = answer.chunks.find(chunk => chunk.type === 'data-shortened')
    expect(short).toMatchObject({ data: { bytes: expect.any(Number), seq: expect.any(Number) } })
    const seq = short?.type === 'data-shortened' ? short.data.seq : 0
    const { json } = await served.call('listEntries', {
      params: { session: id },
      query: { after: String(seq - 1), limit: '1' },
    })
    expect(JSON.stringify(json.entries).length).toBeGreaterThan(200_000)
    expect(answer.text.length).toBeLessThan(100_000)
    noErrors(served)
  })

  it('[P1] streams the answer to an approval in the newer dialect', async () => {
    const served = await openServed()
    const id = await served.session()
    const telling = chat(served, { id, messages: [user('u1', 'Show me an approval')] }, '?dialect=v7')
    const { sessions } = served.dragoman
    await eventually(async () => (await sessions.get(id as SessionId)).pending.length).toBe(1)
    const approval = (await sessions.get(id as SessionId)).pending[0]?.approval ?? ''
    await sessions.execute({ type: 'answer', session: id, approval, approved: false, reason: 'No.' })
    const types = (await telling).chunks.map(({ type }) => type as string)
    expect(types).toContain('tool-approval-response')
    expect(types).toContain('tool-output-denied')
    expect(types).not.toContain('tool-output-error')
    noErrors(served)
  })
})
