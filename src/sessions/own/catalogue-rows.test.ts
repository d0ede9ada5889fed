import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { advance } from '../../catalogue/advance.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { createCatalogue } from '../../catalogue/sqlite/sqlite-catalogue.fixture.ts'
import { catchUp } from '../../catalogue/catch-up.ts'
import { sessionState } from '../../catalogue/session-state.ts'
import { createBell } from '../../journal/bell.ts'
import { createMemoryJournal } from '../../journal/memory.ts'
import { project } from '../../projections/projection.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { openHouse } from '../house.fixture.ts'
import { createPuppet } from '../puppet.fixture.ts'
import { createCatalogueRows } from './session-writer.ts'

/** A catalogue whose writes can fail. */
function createFragile() {
  const state = { broken: false }
  const whole = createCatalogue()
  const save: Catalogue['save'] = async changes => {
    await setImmediate()
    if (state.broken) throw new Error('SQLITE_FULL')
    return whole.save(changes)
  }
  return { state, catalogue: { ...whole, save } }
}

it('[J6] rows that could not be written are repaired from the journal with the next entry', async () => {
  const { state, catalogue } = createFragile()
  const house = await openHouse([createPuppet()], { catalogue })
  await using sessions = house.sessions
  const listed = async () => (await sessions.list({ limit: 1 })).sessions[0]
  const session = await house.create()
  await house.prompt(session, 'before')
  await sessions.whenIdle(session)
  expect((await listed())?.interactions).toBe(1)
  state.broken = true
  await house.prompt(session, 'unseen')
  await sessions.whenIdle(session)
  expect(sessions.troubles()).toEqual([])
  expect((await listed())?.interactions).toBe(1)
  state.broken = false
  await Promise.all(['after', 'and after'].map(text => house.prompt(session, text)))
  await sessions.whenIdle(session)
  await expect.poll(async () => (await listed())?.interactions).toBe(4)
  const rows = await catalogue.messages(session, { thread: null, limit: 100 })
  expect(rows.messages).toHaveLength(8)
  expect(rows.messages.every(({ lastSeq }) => lastSeq !== null)).toBe(true)
  expect((await catchUp({ journal: house.journal, catalogue }, session)).summary.interactions).toBe(4)
})

it('[J6] entries that are saved during a repair of rows are in them afterwards', async () => {
  const { catalogue } = createFragile()
  const journal = createMemoryJournal(createBell())
  const session = 's' as SessionId
  await journal.create(session, [
    { type: 'session-created', agent: 'puppet', cwd: '/', title: 'first', options: null },
  ])
  const repairing = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const waits = [repairing.promise]
  const save: Catalogue['save'] = async changes => {
    reached.resolve()
    await waits.pop()
    await catalogue.save(changes)
  }
  const rows = createCatalogueRows({ journal, catalogue: { ...catalogue, save } }, session, true)
  rows.put([])
  await reached.promise
  const before = project(sessionState, await journal.read(session, 0, 1))
  const entries = await journal.append(session, [{ type: 'session-renamed', title: 'second' }])
  rows.put(advance(before, entries).changes)
  repairing.resolve()
  await rows.settled()
  expect((await catalogue.get(session))?.summary).toMatchObject({ title: 'second', seq: 2 })
})

it('[J6] a session whose rows are behind and cannot be written can be read, and is repaired later', async () => {
  const { state, catalogue } = createFragile()
  const base = await openHouse([createPuppet()], { catalogue })
  const session = await base.create()
  state.broken = true
  await base.prompt(session, 'unseen')
  await base.sessions.whenIdle(session)
  await base.sessions[Symbol.asyncDispose]()
  const house = await base.reopen()
  await using sessions = house.sessions
  expect((await sessions.get(session)).interactions).toBe(1)
  state.broken = false
  await house.prompt(session, 'seen')
  await sessions.whenIdle(session)
  const rows = async () => (await sessions.messages(session, { thread: null, limit: 100 })).messages
  await expect.poll(async () => (await rows()).length).toBe(4)
})
