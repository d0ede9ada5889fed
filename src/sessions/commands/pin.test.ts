import { expect, it } from 'vitest'
import { openHouse } from '../house.fixture.ts'
import { createPuppet } from '../puppet.fixture.ts'

it('[W1] a pinned session is pinned after a restart, and its branch is not', async () => {
  const house = await openHouse([createPuppet()])
  const session = await house.create('s')
  await house.prompt(session, 'hello', 'p')
  await house.sessions.whenIdle(session)
  const { seq } = await house.sessions.execute({ type: 'pin', session })
  expect(seq).toBeGreaterThan(0)
  expect(await house.sessions.execute({ type: 'pin', session })).toEqual({ seq: null })
  await house.sessions.execute({ type: 'branch', session, message: 'p', branch: 'other' })
  await house.sessions[Symbol.asyncDispose]()

  await using sessions = (await house.reopen()).sessions
  const pinned = async () =>
    (await sessions.list({ limit: 9, pinned: true })).sessions.map(each => String(each.session))
  expect(await pinned()).toEqual(['s'])
  await sessions.execute({ type: 'unpin', session })
  expect(await pinned()).toEqual([])
  expect(await house.events(session, 'session-unpinned')).toHaveLength(1)
})
