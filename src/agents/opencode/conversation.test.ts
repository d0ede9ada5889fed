import { expect, it } from 'vitest'
import { createConversation, withNews } from './conversation.ts'

it('[S10] only the heartbeat after a request for permission is passed on', () => {
  const conversation = createConversation('ses_1')
  const isOurs = (raw: string) => conversation.isOurs(withNews({ raw }))
  const heartbeat = '{"type":"server.heartbeat","properties":{}}'
  const asked = (session: string) =>
    `{"type":"permission.asked","properties":{"id":"per_1","sessionID":"${session}"}}`
  expect(isOurs(heartbeat)).toBe(false)
  expect([isOurs(asked('stranger')), isOurs(heartbeat)]).toEqual([false, false])
  expect([isOurs(asked('ses_1')), isOurs(heartbeat), isOurs(heartbeat)]).toEqual([true, true, false])
})
