import { expect, it, onTestFinished } from 'vitest'
import { created } from '../projections/journal.fixture.ts'
import { createBell } from '../journal/bell.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import type { SessionId } from '../protocol/ids.ts'
import { createIndexer, type IndexerOptions } from './indexer.ts'

const session = 's' as SessionId

/** An indexer whose thread answers a call only after the test allows it. */
async function slowIndexer() {
  const journal = createMemoryJournal(createBell())
  await journal.create(session, [created()])
  const held = new Map<string, PromiseWithResolvers<unknown>>()
  const answers: Readonly<Record<string, unknown>> = {
    restart: [],
    add: { seq: 1, saved: [] },
    commit: [[session, 1]],
    check: true,
  }
  const called: string[] = []
  const thread = {
    async call(name: string) {
      called.push(name)
      await held.get(name)?.promise
      return answers[name]
    },
    async [Symbol.asyncDispose]() {},
  } as unknown as IndexerOptions['thread']
  const indexer = createIndexer({
    thread,
    journal,
    now: () => 0,
    async *sessions() {
      yield { session, seq: 1 }
    },
  })
  onTestFinished(async () => {
    for (const each of held.values()) each.resolve(undefined)
    await indexer[Symbol.asyncDispose]()
  })
  return { indexer, called, hold: (name: string) => held.set(name, Promise.withResolvers()), held }
}

it.each(['restart', 'add', 'commit'])('[J15] is busy until the thread has answered "%s"', async name => {
  const { indexer, called, hold, held } = await slowIndexer()
  hold(name)
  indexer.start()
  await expect.poll(() => called).toContain(name)
  expect(indexer.isBusy()).toBe(true)
  const settled = indexer.settle(60_000)
  held.get(name)?.resolve(undefined)
  await settled
  expect(indexer.isBusy()).toBe(false)
  expect(called).toEqual(['restart', 'add', 'commit'])
})
