import assert from 'node:assert/strict'
import type { Entry } from '../protocol/entry.ts'
import { isDragomanError } from '../protocol/error.ts'
import type { Event } from '../protocol/event.ts'
import {
  uuidV7,
  type ConnectionId,
  type EntryId,
  type InteractionId,
  type SessionId,
} from '../protocol/ids.ts'
import { createBell } from './bell.ts'
import type { Bell, Journal, SavedOnce } from './journal.ts'

/** The test runner: Vitest, `node:test` or another one with these two functions. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

/** Opens an empty journal that rings this bell. It is disposed of after the test, where it can be. */
export type OpenJournal = (bell: Bell) => Promise<Journal & Partial<AsyncDisposable>>

/** A session id for tests. */
export const named = (name: string): SessionId => name as SessionId

/** The first event of a session. */
export const created: Event = { type: 'session-created', agent: 'test', cwd: '/', title: null, options: null }

/** An event with a native line and its chunk. */
export const said = (raw: string): Event => ({
  type: 'agent-spoke',
  interaction: 'i' as InteractionId,
  connection: 'c' as ConnectionId,
  raw,
  chunks: [{ thread: null, chunk: { type: 'text-delta', id: 't', delta: raw } }],
})

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

/** Checks that a journal keeps the contract: numbers, ids, keys, times, native lines, refusals and rings. */
export function testJournal({ describe, it }: TestRunner, name: string, open: OpenJournal): void {
  describe(`${name} journal`, () => {
    for (const [rule, test] of Object.entries({ ...numbering, ...once, ...keeping, ...refusing, ...reading }))
      it(rule, async () => {
        const bell = createBell()
        const journal = await open(bell)
        try {
          await test(journal, bell)
        } finally {
          await journal[Symbol.asyncDispose]?.()
        }
      })
  })
}

type Tests = Readonly<Record<string, (journal: Journal, bell: Bell) => Promise<void>>>

const session = named('s')
const other = named('other')
const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (isDragomanError(error) ? error.code : String(error)),
  )

const numbering: Tests = {
  '[J2] keeps the time that is given for each event; the others have the time of the append':
    async journal => {
      await journal.create(session, [created], [1000])
      await journal.appendOnce(session, { key: 'k', times: [2000, 3000] }, [said('b'), said('c')])
      await journal.append(session, [said('d')])
      const times = (await readAll(journal, session)).map(({ at }) => at)
      assert.deepEqual(times.slice(0, 3), [1000, 2000, 3000])
      assert.ok(Math.abs((times[3] ?? 0) - Date.now()) < 5000)
    },
  '[J2] numbers entries 1, 2, 3 … within a session, each with a unique id': async journal => {
    await journal.create(session, [created])
    await journal.create(other, [created, said('x')])
    await journal.append(session, [said('a'), said('b')])
    const [last] = await journal.append(session, [said('c')])
    assert.equal(last?.seq, 4)
    assert.equal(await journal.head(session), 4)
    const entries = [...(await readAll(journal, session)), ...(await readAll(journal, other))]
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      [1, 2, 3, 4, 1, 2],
    )
    assert.equal(new Set(entries.map(({ id }) => id)).size, 6)
    for (const { id } of entries) assert.match(id, version7)
  },
}

const summaryOf = ({ repeated, entries }: SavedOnce) => [
  repeated,
  ...entries.map(entry => `${entry.session} ${entry.seq}`),
]

const once: Tests = {
  '[J2] saves an id once: the second time nothing changes and the first entry comes back': async journal => {
    await journal.create(session, [created])
    await journal.create(other, [created])
    const id = uuidV7(1, new Uint8Array(10).fill(7)) as EntryId
    const first = await journal.appendOnce(session, { id }, [said('a'), said('b')])
    assert.equal(first.entries[0]?.id, id)
    assert.deepEqual(summaryOf(first), [false, 's 2', 's 3'])
    for (const each of [session, other]) {
      const again = await journal.appendOnce(each, { id }, [said('z')])
      assert.deepEqual(summaryOf(again), [true, 's 2'])
    }
    const [own] = await journal.append(session, [said('c')])
    const again = await journal.appendOnce(session, { id: own?.id ?? id }, [said('z')])
    assert.deepEqual(summaryOf(again), [true, 's 4'])
    assert.equal(await journal.head(session), 4)
    assert.equal(await journal.head(other), 1)
  },
  '[J2] saves a key once within a session, also when both come at the same moment': async journal => {
    await journal.create(session, [created])
    await journal.create(other, [created])
    const all = await Promise.all(
      ['a', 'b', 'c'].map(text => journal.appendOnce(session, { key: 'prompt:1' }, [said(text)])),
    )
    const summaries = all.map(summaryOf)
    assert.deepEqual(summaries, [
      [false, 's 2'],
      [true, 's 2'],
      [true, 's 2'],
    ])
    assert.equal((await journal.findByKey(session, 'prompt:1'))?.seq, 2)
    assert.equal(await journal.findByKey(other, 'prompt:1'), undefined)
    assert.equal((await journal.appendOnce(other, { key: 'prompt:1' }, [said('d')])).repeated, false)
  },
}

const raws = [
  '',
  ' ',
  '{"a":"é\\u0000"}\r',
  '\u2028 \u{1f600} "\\ud800"',
  '{"__proto__":{"x":1}}',
  'x'.repeat(300_000),
]

const keeping: Tests = {
  '[J3] gives events back as they were, raws byte for byte': async journal => {
    await journal.create(session, [created])
    await journal.append(session, raws.map(said))
    journal.mayPack(session)
    const events = (await readAll(journal, session)).map(({ event }) => event)
    assert.deepEqual(events, [created, ...raws.map(said)])
  },
  '[J3] gives the same entries as texts for clients, without the raws': async journal => {
    await journal.create(session, [created])
    await journal.append(session, raws.map(said))
    const entries = await readAll(journal, session)
    const texts = await journal.readTexts(session, 0, 100)
    assert.ok(texts.length > 0)
    assert.deepEqual(texts.map(asEntry), entries.slice(0, texts.length).map(withoutRaw))
  },
}

const asEntry = (text: string) => JSON.parse(text) as unknown
const withoutRaw = (entry: Entry) =>
  asEntry(JSON.stringify({ ...entry, event: { ...entry.event, raw: undefined } }))

const refusing: Tests = {
  '[J4] refuses a write for an unknown session, alone': async journal => {
    await journal.create(session, [created])
    const results = await Promise.all([
      codeOf(journal.append(session, [said('a')])),
      codeOf(journal.append(named('nobody'), [said('b')])),
      codeOf(journal.append(session, [said('c')])),
      codeOf(journal.create(session, [created])),
    ])
    assert.deepEqual(results, ['no error', 'unknown-session', 'no error', 'session-exists'])
    assert.equal(await journal.head(session), 3)
    assert.equal(await codeOf(journal.read(named('nobody'), 0, 1)), 'unknown-session')
  },
  '[J4] finds a session that is still being created': async journal => {
    const results = await Promise.all([
      codeOf(journal.create(session, [created])),
      codeOf(journal.create(session, [created])),
      codeOf(journal.head(session)),
      codeOf(journal.append(session, [said('a')])),
    ])
    assert.deepEqual(results, ['no error', 'session-exists', 'no error', 'no error'])
    assert.equal(await journal.head(session), 2)
  },
}

const reading: Tests = {
  '[J1] reads entries after a number, oldest first, up to a limit': async journal => {
    await journal.create(session, [created])
    await journal.append(session, ['a', 'b', 'c'].map(said))
    const some = await journal.read(session, 1, 2)
    assert.deepEqual(
      some.map(({ seq }) => seq),
      [2, 3],
    )
    assert.deepEqual(await journal.read(session, 4, 10), [])
    const [third] = await journal.read(session, 2, 1)
    assert.equal((await journal.find(third?.id as EntryId))?.seq, 3)
    assert.equal(await journal.find('00000000-0000-7000-8000-000000000000' as EntryId), undefined)
  },
  '[J1] rings after an append, when the entries can be read': async (journal, bell) => {
    await journal.create(session, [created])
    const rung = Promise.withResolvers<void>()
    bell.listen(session, { wake: () => rung.resolve() })
    const saved = journal.append(session, [said('a')])
    await rung.promise
    assert.equal((await readAll(journal, session)).length, 2)
    await saved
  },
}
