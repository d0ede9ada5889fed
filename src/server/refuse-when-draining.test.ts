import { describe, expect, it, onTestFinished } from 'vitest'
import { commandSchema, type Command } from '../protocol/command.ts'
import { isDragomanError } from '../protocol/error.ts'
import { openDragoman } from './dragoman.fixture.ts'

const starting = ['branch', 'continue', 'create', 'merge', 'prompt']

/** A server that is about to end, with a session that was made before. */
async function draining() {
  const server = await openDragoman()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const session = await server.session('s')
  server.dragoman.drain()
  return { server, params: { session } }
}

describe('a server that drains', () => {
  it('[O1] refuses only commands that start work, from calls and sockets', async () => {
    const { server } = await draining()
    const types = commandSchema.def.options.map(({ def }) => def.shape.type.def.values[0])
    const refused: unknown[] = []
    for (const type of types) {
      const command = { type, session: 'nobody' } as Command
      await server.dragoman.inside.parts.sessions.execute(command).catch((error: unknown) => {
        if (isDragomanError(error, 'draining')) refused.push(type)
      })
    }
    expect(refused.map(String).toSorted()).toEqual(starting)
  })

  it('[O1] answers calls that start work with 503, and still accepts interrupts, answers and renames', async () => {
    const { server, params } = await draining()
    const parts = [{ type: 'text' as const, text: 'go' }]
    const refused = [
      await server.call('createSession', { body: {} }),
      await server.call('prompt', { params, body: { parts } }),
      await server.call('continueQueue', { params }),
      await server.call('branch', { params, body: { messageId: 'm' } }),
      await server.call('merge', { params, body: { from: 'other' } }),
    ]
    for (const reply of refused) expect(reply).toMatchObject({ status: 503, json: { code: 'draining' } })
    expect((await server.call('interrupt', { params })).status).toBe(202)
    expect((await server.call('changeSession', { params, body: { title: 'New' } })).status).toBe(200)
    const answer = { params: { ...params, approval: 'a' }, body: { approved: true } }
    expect((await server.call('answerApproval', answer)).status).toBe(404)
  })
})
