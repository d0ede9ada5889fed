import { describe, expect, it, onTestFinished } from 'vitest'
import { commandSchema, type Command } from '../protocol/command.ts'
import { isDragomanError } from '../protocol/error.ts'
import { openDragoman } from './dragoman.fixture.ts'

const starting = ['branch', 'continue', 'create', 'merge', 'prompt']

/** A server that is about to end, with a session that was made before. */
async function draining() {
  const house = await openDragoman()
  onTestFinished(() => house[Symbol.asyncDispose]())
  const session = await house.session('s')
  house.dragoman.drain()
  return { house, params: { session } }
}

describe('a server that drains', () => {
  it('[O1] refuses the commands that start work, and no others, however they arrive', async () => {
    const { house } = await draining()
    const types = commandSchema.def.options.map(({ def }) => def.shape.type.def.values[0])
    const refused: unknown[] = []
    for (const type of types) {
      const command = { type, session: 'nobody' } as Command
      await house.dragoman.inside.house.sessions.execute(command).catch((error: unknown) => {
        if (isDragomanError(error, 'draining')) refused.push(type)
      })
    }
    expect(refused.map(String).toSorted()).toEqual(starting)
  })

  it('[O1] answers the calls that start work with 503, and still stops, answers and renames', async () => {
    const { house, params } = await draining()
    const parts = [{ type: 'text' as const, text: 'go' }]
    const refused = [
      await house.call('createSession', { body: {} }),
      await house.call('prompt', { params, body: { parts } }),
      await house.call('continueQueue', { params }),
      await house.call('branch', { params, body: { messageId: 'm' } }),
      await house.call('merge', { params, body: { from: 'other' } }),
    ]
    for (const reply of refused) expect(reply).toMatchObject({ status: 503, json: { code: 'draining' } })
    expect((await house.call('interrupt', { params })).status).toBe(202)
    expect((await house.call('changeSession', { params, body: { title: 'New' } })).status).toBe(200)
    const answer = { params: { ...params, approval: 'a' }, body: { approved: true } }
    expect((await house.call('answerApproval', answer)).status).toBe(404)
  })
})
