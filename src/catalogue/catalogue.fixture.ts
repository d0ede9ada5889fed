import { createBell } from '../journal/bell.ts'
import type { Journal } from '../journal/journal.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Event } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Catalogue } from './catalogue.ts'
import { catchUp } from './catch-up.ts'
import type { OpenCatalogue } from './test-catalogue.ts'

/** A journal in memory, and a catalogue. */
export interface House {
  readonly journal: Journal
  readonly catalogue: Catalogue
}

/** Runs a test with a journal in memory and an empty catalogue, which is disposed of afterwards. */
export async function withCatalogue(
  open: OpenCatalogue,
  test: (house: House) => Promise<void>,
  now?: () => number,
): Promise<void> {
  const catalogue = await open()
  try {
    await test({ journal: createMemoryJournal(createBell(), now), catalogue })
  } finally {
    await catalogue[Symbol.asyncDispose]?.()
  }
}

/** Saves the changes of a session up to the end of its journal, but not its state: as if the process died in between. */
export async function catchUpInPart({ journal, catalogue }: House, session: SessionId): Promise<void> {
  const save: Catalogue['save'] = changes =>
    catalogue.save(changes.filter(({ type }) => type !== 'session-changed'))
  await catchUp({ journal, catalogue: { ...catalogue, save } }, session)
}

/** Saves events of a session in two halves, the changes of the second half twice. Gives all entries. */
export async function takeIn(
  house: House,
  session: SessionId,
  events: readonly Event[],
): Promise<readonly Entry[]> {
  const half = Math.ceil(events.length / 2)
  await house.journal.create(session, events.slice(0, half))
  await catchUp(house, session)
  await house.journal.append(session, events.slice(half))
  await catchUpInPart(house, session)
  await catchUp(house, session)
  return house.journal.read(session, 0, events.length)
}
