import { expect, it } from 'vitest'
import type { SessionId } from '../protocol/ids.ts'
import { createMemoryNodes } from './memory-nodes.ts'
import { soleOwnership } from './ownership.ts'

const session = 's' as SessionId
const created = { type: 'session-created', agent: 'a', cwd: '/', title: null, options: null } as const
const renamed = { type: 'session-renamed', title: 'new' } as const

it('[T7] [O2] only the owner of a session can append to it, and every node can read it', async () => {
  const nodes = createMemoryNodes()
  const [one, two] = [nodes.open('one'), nodes.open('two')]
  await one.journal.create(session, [created])
  await one.ownership.claim(session)
  await one.journal.append(session, [renamed])
  expect(await two.ownership.ownerOf(session)).toEqual({ node: 'one', isHere: false })
  await expect(two.ownership.claim(session)).rejects.toMatchObject({ code: 'not-owner' })
  await expect(two.journal.append(session, [renamed])).rejects.toMatchObject({ code: 'not-owner' })
  await expect(two.journal.appendOnce(session, { key: 'k' }, [renamed])).rejects.toMatchObject({
    code: 'not-owner',
  })
  expect(await two.journal.read(session, 0, 10)).toEqual(await one.journal.read(session, 0, 10))
  expect(await two.journal.head(session)).toBe(2)
})

it('[T7] [O2] another node can claim a released session; releasing a session of another node does nothing', async () => {
  const nodes = createMemoryNodes()
  const [one, two] = [nodes.open('one'), nodes.open('two')]
  const { lost } = await one.ownership.claim(session)
  await two.ownership.release(session)
  expect(await one.ownership.ownerOf(session)).toEqual({ node: 'one', isHere: true })
  await one.ownership.release(session)
  expect(await one.ownership.ownerOf(session)).toBeNull()
  await two.ownership.claim(session)
  expect(lost.aborted).toBe(false)
})

it('[T7] [O2] a node that is declared dead learns that its sessions are lost, and its appends are refused', async () => {
  const nodes = createMemoryNodes()
  const [one, two] = [nodes.open('one'), nodes.open('two')]
  await one.journal.create(session, [created])
  const { lost } = await one.ownership.claim(session)
  nodes.expire('one')
  expect(lost.aborted).toBe(true)
  await two.ownership.claim(session)
  await expect(one.journal.append(session, [renamed])).rejects.toMatchObject({ code: 'not-owner' })
  await two.journal.append(session, [renamed])
  expect(await two.journal.head(session)).toBe(2)
})

it('[T7] a process with a private store always owns every session', async () => {
  const { lost } = await soleOwnership.claim(session)
  await soleOwnership.release(session)
  expect(lost.aborted).toBe(false)
  expect(await soleOwnership.ownerOf(session)).toBeNull()
  // Listeners of a session that was let go must not gather on a signal that lives on.
  expect((await soleOwnership.claim(session)).lost).not.toBe(lost)
})
