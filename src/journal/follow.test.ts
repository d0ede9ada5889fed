import { expect, it } from 'vitest'
import type { Entry } from '../protocol/entry.ts'
import type { SessionId } from '../protocol/ids.ts'
import { createBell } from './bell.ts'
import { follow } from './follow.ts'
import { created } from './journal.contract.ts'
import { createMemoryJournal } from './memory.ts'

const session = 's' as SessionId

it('[J1] a follower that is rung during a read reads again', async () => {
  const bell = createBell()
  const journal = createMemoryJournal(bell)
  await journal.create(session, [created])
  const reads: PromiseWithResolvers<readonly Entry[]>[] = []
  const slow = {
    ...journal,
    readHot: () => undefined,
    async read() {
      reads.push(Promise.withResolvers())
      return (await reads.at(-1)?.promise) ?? []
    },
  }
  const leaving = new AbortController()
  const following = follow({ journal: slow, bell }, session, 1, { signal: leaving.signal })
  const next = following.next()
  await expect.poll(() => reads.length).toBe(1)
  const saved = await journal.append(session, [{ type: 'session-renamed', title: 'new' }])
  // The read began before the entry was saved, and the bell has rung meanwhile.
  reads[0]?.resolve([])
  await expect.poll(() => reads.length).toBe(2)
  reads[1]?.resolve(saved)
  expect((await next).value).toEqual(saved)
  leaving.abort()
  await following.return()
})

it('[R4] a follower that still reads older entries never counts as too slow', async () => {
  const bell = createBell()
  const journal = createMemoryJournal(bell)
  await journal.create(session, [created])
  for (let at = 0; at < 30; at += 1)
    await journal.append(session, [{ type: 'session-renamed', title: `${at}` }])
  const leaving = new AbortController()
  const options = { signal: leaving.signal, page: 10, maxBehind: 5 }
  const seqs: number[] = []
  for await (const entries of follow({ journal, bell }, session, 0, options)) {
    seqs.push(...entries.map(({ seq }) => seq))
    if (seqs.length === 31) leaving.abort()
  }
  expect(seqs).toEqual(Array.from({ length: 31 }, (_, at) => at + 1))
})
