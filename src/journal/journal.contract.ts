import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../protocol/entry.ts'
import type { SessionId } from '../protocol/ids.ts'
import { propertyRuns } from '../protocol/property-runs.fixture.ts'
import { createBell } from './bell.ts'
import { feed, follow, followTexts } from './follow.ts'
import {
  fed,
  followed,
  followerPlan,
  manners,
  neverHot,
  plain,
  ringAtTheEnd,
  takerPlan,
  unreliable,
  writePlan,
  type Write,
  type Manner,
  type Opened,
} from './followers.fixture.ts'
import { created, named, readAll, said, testJournal } from './test-journal.ts'
import type { Bell, Journal } from './journal.ts'

export { created, named, readAll, said }

/** The contract of every journal. Each store's test calls this with a function that opens an empty one. */
export function describeJournal(name: string, open: (bell: Bell) => Promise<Opened>) {
  const session = named('s')

  const withJournal = async (
    test: (journal: Opened, bell: Bell) => Promise<void>,
    manner: Manner = plain,
  ) => {
    const bell = createBell()
    const journal = manner.journal(await open(unreliable(bell, manner)))
    try {
      await test(journal, bell)
    } finally {
      await journal[Symbol.asyncDispose]?.()
    }
  }

  testJournal({ describe, it }, name, open)

  describe(`${name} journal and its followers`, () => {
    it('[J3] returns the same entries as texts for clients, without the raws, from memory and from segments', () =>
      withJournal(async (journal, bell) => {
        await journal.create(session, [created])
        for (const word of ['é', '\u{1f600}', 'x'])
          await journal.append(
            session,
            Array.from({ length: 150 }, () => said(word)),
          )
        journal.mayPack(session)
        await new Promise(resolve => setTimeout(resolve, 60))
        const entries = (await readAll(journal, session)).map(withoutRaw)
        const texts: string[] = []
        for await (const some of followTexts({ journal, bell }, session, 0, {
          signal: AbortSignal.timeout(5000),
          page: 100,
        })) {
          texts.push(...some)
          if (texts.length === entries.length) break
        }
        expect(texts.map(text => JSON.parse(text) as unknown)).toEqual(entries)
      }))

    it('[R2] reports the head to a follower whose cursor is beyond it', () =>
      withJournal(async (journal, bell) => {
        await journal.create(session, [created])
        const following = follow({ journal, bell }, session, 9, { signal: AbortSignal.timeout(1000) })
        await expect(following.next()).rejects.toMatchObject({ code: 'cursor-ahead', details: { head: 1 } })
      }))

    it('[R4] ends a follower that stopped reading, and buffers at most one page for it', () =>
      withJournal(async (journal, bell) => {
        await journal.create(session, [created])
        const following = follow({ journal, bell }, session, 0, {
          signal: AbortSignal.timeout(20_000),
          page: 10,
          maxBehind: 100,
        })
        expect((await following.next()).value).toHaveLength(1)
        const next = following.next()
        await journal.append(session, [said('live')])
        expect((await next).value).toHaveLength(1)
        for (let i = 0; i < 20; i++)
          await journal.append(
            session,
            Array.from({ length: 10 }, () => said('unread')),
          )
        await expect(following.next()).rejects.toMatchObject({
          code: 'follower-behind',
          details: { after: 2, head: 202 },
        })
      }))

    it.each(Object.entries(manners))(
      '[J1] %s, every follower gets every entry once and in order, whenever it joins or leaves',
      (_name, manner) =>
        fc.assert(
          fc.asyncProperty(
            fc.array(followerPlan, { maxLength: 6 }),
            fc.array(writePlan, { minLength: 1, maxLength: 40 }),
            (followers, writes) =>
              withJournal(async (journal, bell) => {
                await journal.create(session, [created])
                const total = 1 + writes.reduce((sum, { count }) => sum + count, 0)
                const seen = followers.map(plan => followed(journal, bell, session, plan, total))
                await writeAll(journal, session, writes)
                await ringAtTheEnd(journal, bell, session, total)
                for (const [index, seqs] of (await Promise.all(seen)).entries()) {
                  const after = followers[index]?.after ?? 0
                  expect(seqs).toEqual(
                    Array.from({ length: seqs.length }, (_, i) => Math.min(after, 1) + i + 1),
                  )
                }
              }, manner),
          ),
          { numRuns: propertyRuns(manner === plain ? 25 : 6) },
        ),
    )

    it.each(Object.entries(manners))(
      '[J1] %s, every reader gets every entry once and in order, however slow it is',
      (_name, manner) =>
        fc.assert(
          fc.asyncProperty(
            fc.array(takerPlan, { maxLength: 6 }),
            fc.array(writePlan, { minLength: 1, maxLength: 40 }),
            (takers, writes) =>
              withJournal(async (journal, bell) => {
                await journal.create(session, [created])
                const total = 1 + writes.reduce((sum, { count }) => sum + count, 0)
                const taken = takers.map(plan => fed(journal, bell, session, plan, total))
                await writeAll(journal, session, writes)
                await ringAtTheEnd(journal, bell, session, total)
                for (const [index, seqs] of (await Promise.all(taken)).entries()) {
                  const after = takers[index]?.after ?? 0
                  expect(seqs).toEqual(Array.from({ length: total - after }, (_, i) => after + i + 1))
                }
              }, manner),
          ),
          { numRuns: propertyRuns(manner === plain ? 25 : 6) },
        ),
    )

    it('[J1] reads again for a reader whose read began before the entry was saved', () =>
      withJournal(async (journal, bell) => {
        await journal.create(session, [created])
        const looked = Promise.withResolvers<void>()
        const answer = Promise.withResolvers<void>()
        const slow = neverHot(journal, () => {
          looked.resolve()
          return answer.promise
        })
        const taken = fed(slow, bell, session, { after: 1, wants: [10], pauseMs: 0 }, 2)
        await looked.promise
        await journal.append(session, [said('saved during the read')])
        answer.resolve()
        expect(await taken).toEqual([2])
      }))

    it('[R2] reports a failed read once to its reader and does not affect other readers', () =>
      withJournal(async (journal, bell) => {
        await journal.create(session, [created])
        const told: unknown[] = []
        const feeding = feed(bell, session, 0, {
          read: () => ({ count: 1 }),
          take: () => {
            throw new Error('a taker that breaks')
          },
          caughtUp: () => told.push('caught up'),
          failed: error => told.push(error),
        })
        feeding.more(1)
        await expect(journal.append(session, [said('a')])).resolves.toHaveLength(1)
        feeding.more(1)
        expect(told).toEqual([new Error('a taker that breaks')])
      }))
  })
}

const withoutRaw = (entry: Entry) =>
  JSON.parse(JSON.stringify({ ...entry, event: { ...entry.event, raw: undefined } })) as unknown

/** Appends as planned: some at once, some after the ones before were saved. */
async function writeAll(journal: Journal, session: SessionId, writes: readonly Write[]): Promise<void> {
  for (const { count, rest, pause } of writes) {
    const saved = journal.append(
      session,
      Array.from({ length: count }, (_, i) => said(`${i}`)),
    )
    if (rest) journal.mayPack(session)
    if (pause) await saved
  }
}
