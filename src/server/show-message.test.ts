import { safeValidateUIMessages as v7 } from 'ai'
import { safeValidateUIMessages as v6 } from 'ai6'
import { safeValidateUIMessages as first6 } from 'ai-6-0-0'
import { safeValidateUIMessages as first7 } from 'ai-7-0-0'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDragoman, type Opened } from './dragoman.fixture.ts'

const judges = { v7, v6, first6, first7 } as const

describe('messages as the AI SDK takes them', () => {
  let house: Opened
  beforeAll(async () => void (house = await openDragoman()))
  afterAll(() => house[Symbol.asyncDispose]())

  const stored = async (session: string) => {
    const { json } = await house.call('listMessages', { params: { session } })
    return json.messages
  }
  const settle = async (session: string, approved: boolean | null) => {
    await house.call('prompt', { params: { session }, body: { text: 'an approval' } })
    const { id: approval } = await house.asked(session)
    if (approved === null) await house.call('interrupt', { params: { session } })
    else await house.call('answerApproval', { params: { session, approval }, body: { approved } })
    await house.dragoman.sessions.whenIdle(session as never)
  }

  it.each([
    ['granted', true, 'output-available'],
    ['denied', false, 'output-denied'],
    ['never answered', null, 'output-error'],
  ] as const)(
    '[P1] hold a question that was %s in a way that every release takes',
    async (_, approved, state) => {
      const session = await house.session()
      await settle(session, approved)
      const messages = await stored(session)
      const call = messages.at(-1)?.parts.find(({ type }) => type === 'dynamic-tool')
      expect(call).toMatchObject({ state })
      for (const [name, judge] of Object.entries(judges))
        expect(await (judge as typeof v7)({ messages }), name).toMatchObject({ success: true })
    },
  )
})
