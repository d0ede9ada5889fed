import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createBell } from '../journal/bell.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import { foldEntries } from '../projections/fold.ts'
import { createMessages } from '../projections/messages.ts'
import { session } from '../projections/session.arbitrary.ts'
import type { StoredMessage } from '../projections/stored-message.ts'
import type { Thread } from '../protocol/chunk.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Catalogue } from './catalogue.ts'
import { catchUp } from './catch-up.ts'
import { readMessages } from './read-messages.ts'
import { createCatalogue } from './sqlite/sqlite-catalogue.fixture.ts'

const s = 's' as SessionId

it('[J5] wherever a session stops, its messages read page by page are those of the whole journal', async () => {
  await fc.assert(
    fc.asyncProperty(
      session({ answers: true, edits: true }),
      fc.nat(),
      fc.nat(2),
      async (entries, cut, more) => {
        const journal = createMemoryJournal(createBell())
        const house = { journal, catalogue: createCatalogue() }
        const events = entries.slice(0, 1 + (cut % entries.length)).map(({ event }) => event)
        const half = Math.ceil(events.length / 2)
        await journal.create(s, events.slice(0, half))
        await catchUp(house, s)
        await journal.append(s, events.slice(half))
        // The changes were written and the row was not: all are made once more.
        const save: Catalogue['save'] = changes =>
          house.catalogue.save(changes.filter(({ type }) => type !== 'session-changed'))
        await catchUp({ journal, catalogue: { ...house.catalogue, save } }, s)
        await catchUp(house, s)
        const read = async (thread: Thread, replaced: boolean): Promise<readonly StoredMessage[]> => {
          const pages: StoredMessage[] = []
          for (let before = events.length + 1; ;) {
            const filter = { thread, limit: 1 + more, before, replaced }
            const { messages, next } = await readMessages(house, s, filter, events.length)
            pages.unshift(...messages)
            if (next === null) return pages
            before = next
          }
        }
        for (const replaced of [false, true]) {
          const fold = createMessages(undefined, { replaced })
          const whole = foldEntries(fold, await journal.read(s, 0, events.length))
          for (const [thread, messages] of whole) expect(await read(thread, replaced)).toEqual(messages)
        }
      },
    ),
  )
})
