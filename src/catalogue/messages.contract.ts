import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldEntries } from '../projections/fold.ts'
import { createMessages } from '../projections/messages.ts'
import { session } from '../projections/session.arbitrary.ts'
import type { StoredMessage } from '../projections/stored-message.ts'
import type { Thread } from '../protocol/chunk.ts'
import type { SessionId } from '../protocol/ids.ts'
import { takeIn, withCatalogue } from './catalogue.fixture.ts'
import { readMessages } from './read-messages.ts'
import type { OpenCatalogue } from './test-catalogue.ts'

const s = 's' as SessionId

/** The messages that a catalogue leads to are those of the journal. */
export function describeMessages(name: string, open: OpenCatalogue): void {
  describe(`${name} catalogue`, () => {
    it('[J5] a thread that does not exist has no messages', () =>
      withCatalogue(open, async house => {
        const filter = { thread: 'nobody', limit: 2 }
        expect(await readMessages(house, s, filter, 3)).toEqual({ messages: [], next: null, asOf: 3 })
      }))

    it('[J5] at any entry, the messages read in pages equal those folded from the journal', async () => {
      await fc.assert(
        fc.asyncProperty(session({ answers: true, edits: true }), fc.nat(), fc.nat(2), (entries, cut, more) =>
          withCatalogue(open, async house => {
            const events = entries.slice(0, 1 + (cut % entries.length)).map(({ event }) => event)
            const saved = await takeIn(house, s, events)
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
              const whole = foldEntries(fold, saved)
              for (const [thread, messages] of whole) expect(await read(thread, replaced)).toEqual(messages)
            }
          }),
        ),
      )
    })
  })
}
