import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDragomanError } from '../protocol/error.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Event } from '../protocol/event.ts'
import type { ConnectionId, EntryId, InteractionId, SessionId } from '../protocol/ids.ts'
import { uuidV7 } from '../protocol/ids.ts'
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
import type { Bell, Journal } from './journal.ts'

/** A session's name for tests. */
export const named = (name: string) => name as SessionId

/** The event with which a session begins. */
export const created: Event = { type: 'session-created', agent: 'test', cwd: '/', title: null, options: null }

/** Something an agent said, as raw and as a chunk. */
export const said = (raw: string): Event => ({
  type: 'agent-spoke',
  interaction: 'i' as InteractionId,
  connection: 'c' as ConnectionId,
  raw,
  chunks: [{ thread: null, chunk: { type: 'text-delta', id: 't', delta: raw } }],
})

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isDragomanError(error) ? error.code : String(error)),
  )

/** Every entry after `after`, page by page. */
export async function readAll(
  journal: Journal,
  session: SessionId,
  after = 0,
  page = 100,
): Promise<readonly Entry[]> {
  const all: Entry[] = []
  for (let seq = after; ;) {
    const entries = await journal.read(session, seq, page)
    if (entries.length === 0) return all
    all.push(...entries)
    seq = entries.at(-1)?.seq ?? seq
  }
}

/** What every journal must do. Each store's test calls this with a way to make an empty one. */
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

  describe(`${name} journal`, () => {
    it('[J2] keeps the time that is given for each event; the others have the time of the append', () =>
      withJournal(async journal => {
        await journal.create(session, [created], [1000])
        await journal.appendOnce(session, { key: 'k', times: [2000, 3000] }, [said('b'), said('c')])
        await journal.append(session, [said('d')])
        const times = (await readAll(journal, session)).map(({ at }) => at)
        expect(times).toEqual([1000, 2000, 3000, expect.closeTo(Date.now(), -4)])
      }))

    it('[J2] numbers entries 1, 2, 3 … within a session, each with an id of its own', () =>
      withJournal(async journal => {
        await journal.create(session, [created])
        await journal.create(named('other'), [created, said('x')])
        await journal.append(session, [said('a'), said('b')])
        const [last] = await journal.append(session, [said('c')])
        expect(last?.seq).toBe(4)
        expect(await journal.head(session)).toBe(4)
        const ids = [...(await readAll(journal, session)), ...(await readAll(journal, named('other')))].map(
          ({ id }) => id,
        )
        expect(new Set(ids).size).toBe(6)
        for (const id of ids)
          expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      }))

    it('[J2] saves an id once: the second time nothing changes and the first entry comes back', () =>
      withJournal(async journal => {
        await journal.create(session, [created])
        await journal.create(named('other'), [created])
        const id = uuidV7(1, new Uint8Array(10).fill(7)) as EntryId
        const first = await journal.appendOnce(session, { id }, [said('a'), said('b')])
        expect(first).toMatchObject({ repeated: false, entries: [{ id, seq: 2 }, { seq: 3 }] })
        expect(await journal.appendOnce(session, { id }, [said('z')])).toMatchObject({
          repeated: true,
          entries: [{ seq: 2 }],
        })
        expect(await journal.appendOnce(named('other'), { id }, [said('z')])).toMatchObject({
          repeated: true,
          entries: [{ seq: 2, session }],
        })
        const [, , , own] = await journal.append(session, [said('c')]).then(() => readAll(journal, session))
        expect(await journal.appendOnce(session, { id: own?.id ?? id }, [said('z')])).toMatchObject({
          repeated: true,
          entries: [{ seq: 4 }],
        })
        expect(await journal.head(session)).toBe(4)
        expect(await journal.head(named('other'))).toBe(1)
      }))

    it('[J2] saves a key once within a session, also when both come at the same moment', () =>
      withJournal(async journal => {
        await journal.create(session, [created])
        await journal.create(named('other'), [created])
        const both = await Promise.all(
          ['a', 'b', 'c'].map(text => journal.appendOnce(session, { key: 'prompt:1' }, [said(text)])),
        )
        expect(both.map(({ repeated }) => repeated)).toEqual([false, true, true])
        expect(both.map(({ entries }) => entries[0]?.seq)).toEqual([2, 2, 2])
        expect(await journal.findByKey(session, 'prompt:1')).toMatchObject({ seq: 2 })
        expect(await journal.findByKey(named('other'), 'prompt:1')).toBeUndefined()
        expect(await journal.appendOnce(named('other'), { key: 'prompt:1' }, [said('d')])).toMatchObject({
          repeated: false,
        })
      }))

    it('[J3] gives events back as they were, raws byte for byte', () =>
      withJournal(async journal => {
        await journal.create(session, [created])
        const raws = [
          '',
          ' ',
          '{"a":"é\\u0000"}\r',
          '\u2028 \u{1f600} "\\ud800"',
          '{"__proto__":{"x":1}}',
          'x'.repeat(300_000),
        ]
        await journal.append(session, raws.map(said))
        journal.rest(session)
        expect((await readAll(journal, session)).map(({ event }) => event)).toEqual([
          created,
          ...raws.map(said),
        ])
      }))

    it('[J4] refuses a write for an unknown session, alone', () =>
      withJournal(async journal => {
        await journal.create(session, [created])
        const results = await Promise.all([
          codeOf(journal.append(session, [said('a')])),
          codeOf(journal.append(named('nobody'), [said('b')])),
          codeOf(journal.append(session, [said('c')])),
          codeOf(journal.create(session, [created])),
        ])
        expect(results).toEqual(['no error', 'unknown-session', 'no error', 'session-exists'])
        expect(await journal.head(session)).toBe(3)
        expect(await codeOf(journal.read(named('nobody'), 0, 1))).toBe('unknown-session')
      }))

    it('[J4] has a session for whoever asks for it while it is being created', () =>
      withJournal(async journal => {
        const results = await Promise.all([
          codeOf(journal.create(session, [created])),
          codeOf(journal.create(session, [created])),
          codeOf(journal.head(session)),
          codeOf(journal.append(session, [said('a')])),
        ])
        expect(results).toEqual(['no error', 'session-exists', 'no error', 'no error'])
        expect(await journal.head(session)).toBe(2)
      }))

    it('[J1] reads entries after a number, oldest first, up to a limit', () =>
      withJournal(async journal => {
        await journal.create(session, [created])
        await journal.append(session, ['a', 'b', 'c'].map(said))
        expect((await journal.read(session, 1, 2)).map(({ seq }) => seq)).toEqual([2, 3])
        expect(await journal.read(session, 4, 10)).toEqual([])
        expect(await journal.find((await journal.read(session, 2, 1))[0]?.id as EntryId)).toMatchObject({
          seq: 3,
        })
        expect(await journal.find('00000000-0000-7000-8000-000000000000' as EntryId)).toBeUndefined()
      }))

    it('[J3] gives the same entries as texts for clients, without the raws, hot and packed', () =>
      withJournal(async (journal, bell) => {
        await journal.create(session, [created])
        for (const word of ['é', '\u{1f600}', 'x'])
          await journal.append(
            session,
            Array.from({ length: 150 }, () => said(word)),
          )
        journal.rest(session)
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

    it('[R2] tells a follower whose cursor is beyond the end where the end is', () =>
      withJournal(async (journal, bell) => {
        await journal.create(session, [created])
        const following = follow({ journal, bell }, session, 9, { signal: AbortSignal.timeout(1000) })
        await expect(following.next()).rejects.toMatchObject({ code: 'cursor-ahead', details: { head: 1 } })
      }))

    it('[R4] tells a follower that stopped reading to come back, and holds one page for it at most', () =>
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
      '[J1] %s, it shows any follower, joining and leaving at any time, every entry once and in order',
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
      '[J1] %s, it feeds any taker, as slow as it likes, every entry once and in order',
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

    it('[J1] reads again for a taker whose read began before the entry was saved', () =>
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

    it('[R2] tells a taker that nothing can be read, once, and hurts nobody else', () =>
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
    if (rest) journal.rest(session)
    if (pause) await saved
  }
}
