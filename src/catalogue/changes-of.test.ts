import { expect, it } from 'vitest'
import { createBell } from '../journal/bell.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import {
  call,
  connected,
  created,
  ended,
  exited,
  failure,
  finish,
  spoke,
  start,
  started,
} from '../projections/journal.fixture.ts'
import type { SessionId } from '../protocol/ids.ts'
import { catchUp } from './catch-up.ts'
import { createCatalogue } from './sqlite/sqlite-catalogue.fixture.ts'

const s = 's' as SessionId

const open = () => ({
  journal: createMemoryJournal(createBell()),
  catalogue: createCatalogue(),
})

it('[J5] a message that an exit closes ends there, and one that is open again has no end yet', async () => {
  const { journal, catalogue } = open()
  await journal.create(s, [
    created(),
    started('i'),
    spoke('i', null, start('m'), call('t', 'Task')),
    spoke('i', 't', start('sub')),
    spoke('i', null, finish),
    ended('i'),
    exited(
      { thread: 't', chunk: { type: 'finish', messageMetadata: { reason: 'failed' } } },
      ...[start('m'), failure('t'), finish].map(chunk => ({ thread: null, chunk })),
    ),
  ])
  const rows = async () => {
    await catchUp({ journal, catalogue }, s)
    return [await catalogue.findMessage(s, 'm', null), await catalogue.findMessage(s, 'sub', 't')]
  }
  expect(await rows()).toMatchObject([
    { interaction: 'i', firstSeq: 3, lastSeq: 7 },
    { interaction: 'i', firstSeq: 4, lastSeq: 7, metadata: { reason: 'failed' } },
  ])
  await journal.append(s, [spoke('i', null, start('m'))])
  expect(await rows()).toMatchObject([{ firstSeq: 3, lastSeq: null }, { lastSeq: 7 }])
})

it('[X1] a message is synthetic when something else than a person set its interaction going, words or not', async () => {
  const house = open()
  for (const trigger of ['user', 'agent', 'schedule', 'synthetic'] as const) {
    const session = trigger as string as SessionId
    await house.journal.create(session, [
      created(),
      { ...started('i', null), trigger },
      spoke('i', null, start('m')),
    ])
    await catchUp(house, session)
    expect(await house.catalogue.findMessage(session, 'm', null)).toMatchObject({
      synthetic: trigger !== 'user',
    })
  }
})

it('[R1] the sessions that a recovery must look at are those at work and those with an agent', async () => {
  const house = open()
  const histories = {
    idle: [],
    running: [started('i')],
    agent: [connected],
    gone: [connected, exited()],
  }
  for (const [id, events] of Object.entries(histories)) {
    await house.journal.create(id as SessionId, [created()])
    for (const event of events) {
      await house.journal.append(id as SessionId, [event])
      await catchUp(house, id as SessionId)
    }
  }
  expect((await house.catalogue.unfinished()).toSorted()).toEqual(['agent', 'running'])
})
