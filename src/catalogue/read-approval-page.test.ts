import { expect, it } from 'vitest'
import { createBell } from '../journal/bell.ts'
import type { Journal } from '../journal/journal.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import { answered, call, created, ended, spoke, start, started } from '../projections/journal.fixture.ts'
import type { Chunk } from '../protocol/chunk.ts'
import { DragomanError } from '../protocol/error.ts'
import type { Event } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import { catchUp } from './catch-up.ts'
import { readApprovalPage } from './read-approval-page.ts'
import { createCatalogue } from './sqlite/sqlite-catalogue.fixture.ts'

const asking = (approvalId: string, toolCallId: string): Chunk => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
})
const says = (...chunks: readonly Chunk[]) => spoke('i', null, ...chunks)
const asked = (id: string): readonly Event[] => [
  created(),
  started('i'),
  says(start('m'), call(`call-${id}`, 'Bash')),
  says(asking(id, `call-${id}`)),
]

async function open(sessions: Readonly<Record<string, readonly Event[]>>) {
  let at = 0
  const journal = createMemoryJournal(createBell(), () => (at += 1))
  const house = { journal, catalogue: createCatalogue() }
  for (const [id, events] of Object.entries(sessions)) {
    await journal.create(id as SessionId, events)
    await catchUp(house, id as SessionId)
  }
  const list = async (filter: object = {}, from: Pick<Journal, 'read'> = journal) =>
    (await readApprovalPage({ ...house, journal: from }, { limit: 10, ...filter })).approvals
  return { ...house, list }
}

it('[T1] an approval id that is used again for another call is a new question', async () => {
  const { list } = await open({
    s: [
      ...asked('a'),
      answered('a', { approved: false, reason: 'no' }),
      says(call('other', 'Write')),
      says(asking('a', 'other')),
    ],
  })
  expect(await list()).toMatchObject([{ id: 'a', status: 'pending', tool: 'Write', reason: null }])
})

it('[T1] a page reads a few entries per approval, however long the session is', async () => {
  const words: Chunk[] = [{ type: 'text-delta', id: 't', delta: 'word' }]
  const long = Array.from({ length: 3000 }, () => says(...words))
  const { journal, list } = await open({
    s: [...asked('a'), says({ type: 'text-start', id: 't' }), ...long, answered('a'), ...long, ended('i')],
  })
  let entries = 0
  const counted: Pick<Journal, 'read'> = {
    async read(session, after, limit) {
      const read = await journal.read(session, after, limit)
      entries += read.length
      return read
    },
  }
  expect(await list({}, counted)).toMatchObject([{ id: 'a', status: 'granted', tool: 'Bash' }])
  expect(entries).toBe(3)
})

it('[T1] a damaged session does not hide the approvals of others', async () => {
  const { journal, list } = await open({ good: asked('a'), bad: asked('b') })
  const read: Journal['read'] = async (session, after, limit) => {
    if (session === 'bad') throw new DragomanError('session-damaged', 'Session bad is damaged.')
    return journal.read(session, after, limit)
  }
  expect((await list({}, { read })).map(({ id }) => id)).toEqual(['a'])
})
