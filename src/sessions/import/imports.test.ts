import { expect, it } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import type { FoundTranscript } from '../../agents/importer.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { createImports, type ImportsOptions } from './imports.ts'

const agent = { name: 'puppet', importer: {} } as unknown as Agent
const transcript = { agentSession: 's', cwd: null, title: null, lines: [] }

const foundAt = (changedAt: number, read: FoundTranscript['read'] = async () => transcript) => ({
  agent: 'puppet',
  found: { file: `${changedAt}`, agentSession: `${changedAt}`, changedAt, bytes: 10, read },
})

function open(more: Partial<ImportsOptions>) {
  const imported: string[] = []
  const imports = createImports({
    agents: [agent],
    find: async () => ({ found: [foundAt(3), foundAt(2), foundAt(1)], unread: [] }),
    sessions: {
      async import({ file }) {
        imported.push(file)
        return { session: file as SessionId, outcome: 'new', lines: 1 }
      },
    },
    isImported: async () => false,
    dataFolder: '/nowhere',
    now: () => 0,
    stopping: new AbortController().signal,
    ...more,
  })
  const ended = (id: string) =>
    expect
      .poll(() => imports.get(id, 0).progress.endedAt)
      .not.toBeNull()
      .then(() => imports.get(id, 0))
  return { imports, imported, ended }
}

it('[O1] can be stopped, and the transcript that is read is imported first', async () => {
  const reading = Promise.withResolvers<typeof transcript>()
  const found = [foundAt(2, () => reading.promise), foundAt(1)]
  const { imports, imported, ended } = open({ find: async () => ({ found, unread: [] }) })
  const { id } = imports.start({})
  await expect.poll(() => imports.get(id, 0).progress.total).toBe(2)
  imports.stop(id)
  reading.resolve(transcript)
  expect((await ended(id)).progress).toMatchObject({ done: 1, failure: { code: 'stopped' } })
  expect(imported).toEqual(['2'])
})

it('[O1] can be stopped while it searches, and the next one begins', async () => {
  const found = { found: [foundAt(1)], unread: [] }
  const searches = [new Promise<never>(() => {}), Promise.resolve(found)]
  const { imports, imported, ended } = open({ find: () => searches.shift() ?? Promise.resolve(found) })
  const [first, second] = [imports.start({}), imports.start({})]
  imports.stop(first.id)
  expect((await ended(first.id)).progress).toMatchObject({ done: 0, failure: { code: 'stopped' } })
  expect((await ended(second.id)).progress).toMatchObject({ done: 1, failure: null })
  expect(imported).toEqual(['1'])
})

it('[O1] pauses after the transcript that is read, and continues with the next one', async () => {
  const reading = Promise.withResolvers<typeof transcript>()
  const found = [foundAt(3, () => reading.promise), foundAt(2), foundAt(1)]
  const { imports, imported, ended } = open({ find: async () => ({ found, unread: [] }) })
  const { id } = imports.start({})
  await expect.poll(() => imports.get(id, 0).progress.total).toBe(3)
  expect(imports.pause(id, true)).toMatchObject({ paused: true, done: 0 })
  reading.resolve(transcript)
  await expect.poll(() => imports.get(id, 0).progress.done).toBe(1)
  expect(imports.get(id, 0).progress).toMatchObject({ paused: true, endedAt: null, done: 1 })
  expect(imported).toEqual(['3'])
  imports.pause(id, false)
  expect((await ended(id)).progress).toMatchObject({ paused: false, done: 3, failure: null })
  expect(imported).toEqual(['3', '2', '1'])
  expect(imports.pause(id, true)).toMatchObject({ paused: false })
})

it('[O1] a paused import can be stopped', async () => {
  const { imports, ended } = open({})
  const { id } = imports.start({})
  imports.pause(id, true)
  imports.stop(id)
  expect((await ended(id)).progress).toMatchObject({ paused: false, failure: { code: 'stopped' } })
})

it('[O1] counts why lines were skipped and files could not be read, the most frequent reason first', async () => {
  const skipping = foundAt(2, async ({ skip }) => {
    for (let line = 1; line <= 3; line++) skip({ file: 'f', line, reason: 'It is no JSON.' })
    for (let line = 0; line < 40; line++) skip({ file: 'f', line, reason: `Reason ${line}.` })
    return transcript
  })
  const broken = foundAt(1, () => Promise.reject(new Error('It is broken.')))
  const { imports, ended } = open({ find: async () => ({ found: [skipping, broken], unread: [] }) })
  const { progress } = await ended(imports.start({}).id)
  expect(progress.reasons).toHaveLength(21)
  expect(progress.reasons.slice(0, 2)).toEqual([
    { reason: 'Other reasons.', count: 22 },
    { reason: 'It is no JSON.', count: 3 },
  ])
  expect(progress.reasons.reduce((sum, { count }) => sum + count, 0)).toBe(44)
})

it('[O1] tells when something was imported from the usual folders, and not for a single file', async () => {
  const told: number[] = []
  const { imports, ended } = open({ imported: at => void told.push(at), now: () => 7 })
  await ended(imports.start({ path: '/a/file' }).id)
  expect(told).toEqual([])
  await ended(imports.start({}).id)
  expect(told).toEqual([7])
})

it('[O1] imports one after the other, and a failure to save ends only its import', async () => {
  let calls = 0
  const failure = new DragomanError('disk-full', 'The disk is full.')
  const { imports, ended } = open({
    sessions: {
      async import({ file }) {
        calls += 1
        if (calls === 2) throw failure
        return { session: file as SessionId, outcome: 'new', lines: 1 }
      },
    },
  })
  const [first, second] = [imports.start({}), imports.start({})]
  const failed = await ended(first.id)
  expect(failed.progress).toMatchObject({
    done: 1,
    failure: { code: 'disk-full', message: 'The disk is full.' },
  })
  expect((await ended(second.id)).progress).toMatchObject({ done: 3, bytesDone: 30, failure: null })
  expect(imports.all().map(({ id }) => id)).toEqual([second.id, first.id])
})

it('[R2] an unreadable transcript is noted and does not end the import', async () => {
  const broken = foundAt(2, () => Promise.reject(new Error('It is broken.')))
  const { imports, ended } = open({ find: async () => ({ found: [broken, foundAt(1)], unread: [] }) })
  const { progress, notes } = await ended(imports.start({}).id)
  expect(progress).toMatchObject({ done: 2, failed: 1, outcomes: { new: 1 } })
  expect(notes[0]).toEqual({ type: 'unread', file: '2', reason: 'It is broken.' })
  expect(imports.get(imports.all()[0]?.id ?? '', 1).notes).toEqual(notes.slice(1))
})

it('[R1] keeps no more than the latest imports, and refuses more than it can queue', async () => {
  const never = new Promise<never>(() => {})
  const { imports } = open({ find: () => never })
  for (let count = 0; count < 20; count++) imports.start({})
  expect(() => imports.start({})).toThrow('20 imports are waiting already')
})

it('[O1] searches the disk once for several listings', async () => {
  let searches = 0
  const { imports } = open({
    async find() {
      searches += 1
      return { found: [foundAt(3), foundAt(1)], unread: [] }
    },
  })
  const [one, other] = await Promise.all([imports.found(), imports.found()])
  expect(one).toEqual([{ agent: 'puppet', sessions: 2, bytes: 20, from: 1, to: 3, imported: 0 }])
  expect([other, searches]).toEqual([one, 1])
})
