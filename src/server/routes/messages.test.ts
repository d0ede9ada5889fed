import { safeValidateUIMessages as v7 } from 'ai'
import { safeValidateUIMessages as v6 } from 'ai6'
import { safeValidateUIMessages as first6 } from 'ai-6-0-0'
import { safeValidateUIMessages as first7 } from 'ai-7-0-0'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

const judges = { v7, v6, first6, first7 } as const

describe('messages for the AI SDK', () => {
  let server: Opened
  beforeAll(async () => void (server = await openDragoman()))
  afterAll(() => server[Symbol.asyncDispose]())

  const stored = async (session: string) => {
    const { json } = await server.call('listMessages', { params: { session } })
    return json.messages
  }
  const settle = async (session: string, approved: boolean | null) => {
    await server.call('prompt', { params: { session }, body: { text: 'an approval' } })
    const { id: approval } = await server.asked(session)
    if (approved === null) await server.call('interrupt', { params: { session } })
    else await server.call('answerApproval', { params: { session, approval }, body: { approved } })
    await server.dragoman.sessions.whenIdle(session as never)
  }

  it.each([
    ['granted', true, 'output-available'],
    ['denied', false, 'output-denied'],
    ['never answered', null, 'output-error'],
  ] as const)(
    '[P1] contain an approval that was %s in a form that every release accepts',
    async (_, approved, state) => {
      const session = await server.session()
      await settle(session, approved)
      const messages = await stored(session)
      const call = messages.at(-1)?.parts.find(({ type }) => type === 'dynamic-tool')
      expect(call).toMatchObject({ state })
      for (const [name, judge] of Object.entries(judges))
        expect(await (judge as typeof v7)({ messages }), name).toMatchObject({ success: true })
    },
  )
})
