import { expect, it } from 'vitest'
import { createBell } from '../../journal/bell.ts'
import { feed } from '../../journal/follow.ts'
import { neverHot } from '../../journal/followers.fixture.ts'
import { created, named, said } from '../../journal/journal.contract.ts'
import { createMemoryJournal } from '../../journal/memory.ts'
import { createColdPages } from './cold-pages.ts'
import { createSharedFrames, type Frame } from './shared-frames.ts'

it('[J1] a client that joins a running read also gets entries saved since that read started', async () => {
  const bell = createBell()
  const session = named('s')
  const memory = createMemoryJournal(bell)
  await memory.create(session, [created])
  const reads: PromiseWithResolvers<void>[] = []
  const journal = neverHot(memory, async () => {
    const read = Promise.withResolvers<void>()
    reads.push(read)
    await read.promise
  })
  const read = createSharedFrames(journal, createColdPages(journal), texts => texts.join(''))
  const follow = () => {
    const feeding = feed<Frame>(bell, session, 1, {
      read: (after, limit) => read(session, after, limit),
      take: () => 16,
      caughtUp: () => {},
      failed: error => expect.unreachable(String(error)),
    })
    feeding.more(16)
    return feeding
  }
  const early = follow()
  // The first read looks before the append and answers after it; the late reader comes in between.
  await expect.poll(() => reads).toHaveLength(1)
  await memory.append(session, [said('second')])
  const late = follow()
  await expect
    .poll(() => {
      for (const each of reads) each.resolve()
      return [early.seq(), late.seq()]
    })
    .toEqual([2, 2])
})
