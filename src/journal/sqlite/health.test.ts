import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createBell } from '../bell.ts'
import { created, named, readAll, said } from '../journal.contract.ts'
import { openSqliteJournal, type SqliteJournalOptions } from './open-sqlite-journal.ts'
import { createHealth } from './health.ts'
import { verify } from './verify.ts'
import { readWitness } from './witness.ts'

const session = named('s')

function newFolder(): string {
  const home = mkdtempSync(join(tmpdir(), 'dragoman-health-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return join(home, 'data')
}

async function openFilled(folder: string, options: Partial<SqliteJournalOptions> = {}) {
  const journal = await openSqliteJournal({ folder, bell: createBell(), ...options })
  await journal.create(session, [created, said('first')]).catch(() => undefined)
  return journal
}

it.each([
  ['removed', (folder: string) => rmSync(folder, { recursive: true })],
  ['moved away', (folder: string) => renameSync(folder, `${folder}-moved`)],
  [
    'replaced by another',
    (folder: string) => {
      renameSync(folder, `${folder}-moved`)
      mkdirSync(folder)
      writeFileSync(join(folder, 'journal.db'), '')
    },
  ],
  ['deprived of its log', (folder: string) => rmSync(join(folder, 'journal.db-wal'))],
])('[R1] notices within a second that its folder was %s, and refuses writes', async (_, harm) => {
  const folder = newFolder()
  await using journal = await openFilled(folder)
  expect(journal.health()).toBeNull()
  harm(folder)
  expect((await journal.broken).code).toBe('data-folder-gone')
  expect(journal.health()).toMatchObject({
    code: 'data-folder-gone',
    message: expect.stringContaining(`${folder} was removed or replaced`),
  })
  await expect(journal.append(session, [said('lost')])).rejects.toMatchObject({ code: 'data-folder-gone' })
})

it('[R1] never acknowledges an entry written to a removed file', async () => {
  const folder = newFolder()
  await using journal = await openFilled(folder)
  rmSync(folder, { recursive: true })
  await expect(journal.append(session, [said('lost')])).rejects.toMatchObject({ code: 'data-folder-gone' })
})

it('[R1] does not write to a folder that replaced its own', async () => {
  const folder = newFolder()
  {
    await using journal = await openFilled(folder)
    renameSync(folder, `${folder}-moved`)
    mkdirSync(folder)
    for (const file of ['journal.db', 'journal.db-wal', 'owner.json', 'journal.witness'])
      writeFileSync(join(folder, file), `other ${file}`)
    await journal.broken
  }
  for (const file of ['journal.db', 'journal.db-wal', 'owner.json', 'journal.witness'])
    expect(readFileSync(join(folder, file), 'utf8')).toBe(`other ${file}`)
})

it('[R1] reports that the writer is dead, not that it is closing, and still closes', async () => {
  const folder = newFolder()
  {
    await using journal = await openFilled(folder, {
      fault: { step: 'frame-inserted', occurrence: 2, throws: true },
    })
    const dead = { code: 'writer-dead', message: expect.stringContaining('Restart') }
    await expect(journal.append(session, [said('not saved')])).rejects.toMatchObject(dead)
    expect(await journal.broken).toMatchObject(dead)
    expect(journal.health()).toMatchObject(dead)
    await expect(journal.append(session, [said('not saved either')])).rejects.toMatchObject(dead)
  }
  await using journal = await openFilled(folder)
  expect(await readAll(journal, session)).toHaveLength(2)
})

it('[R1] is not ready while the disk is full, and ready again when there is room', () => {
  const folder = newFolder()
  mkdirSync(folder)
  for (const file of ['journal.db', 'journal.db-wal']) writeFileSync(join(folder, file), '')
  const reported: (string | null)[] = []
  let free = 1 << 30
  const health = createHealth(folder, {
    tell: message => reported.push(message.failure?.code ?? null),
    freeBytes: () => free,
    write(_, bytes) {
      if (bytes.length > free) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    },
  })
  health.look()
  expect(reported).toEqual([])
  free = 0
  health.look()
  health.look()
  expect(reported).toEqual(['disk-full'])
  free = 1 << 20
  health.look()
  expect(reported).toEqual(['disk-full', null])
  // There must be room for the batch that did not fit.
  health.failed(Object.assign(new Error('no space'), { code: 'ENOSPC' }), 1 << 21)
  health.look()
  expect(reported).toEqual(['disk-full', null, 'disk-full'])
  free = 1 << 22
  health.look()
  expect(reported).toEqual(['disk-full', null, 'disk-full', null])
})

it('[R1] is not ready after a commit failed because the disk is full', async () => {
  const folder = newFolder()
  const troubles: string[] = []
  await using journal = await openFilled(folder, {
    maxPages: 60,
    onTrouble: ({ code }) => troubles.push(code),
  })
  const noise = () => said(Array.from({ length: 3000 }, () => Math.random().toString(36)).join(''))
  await expect(
    (async () => {
      for (let i = 0; i < 100; i++) await journal.append(session, [noise()])
    })(),
  ).rejects.toMatchObject({ code: 'disk-full' })
  await expect.poll(() => troubles).toContain('disk-full')
})

const lost: readonly (readonly [string, (path: string) => void])[] = [
  ['missing', path => rmSync(path)],
  ['emptied', path => truncateSync(path)],
  ['garbage', path => writeFileSync(path, 'garbage without an end')],
  ['garbage of several lines', path => writeFileSync(path, 'garbage\nand more\n')],
]

it.each(lost)('[R5] verify and the next start report that the witness is %s', async (_, harm) => {
  const folder = newFolder()
  await (await openFilled(folder))[Symbol.asyncDispose]()
  harm(join(folder, 'journal.witness'))
  const { damage } = await verify(folder)
  expect(damage).toEqual([
    {
      session: null,
      what: expect.stringMatching(/^journal\.witness (is missing|cannot be read), so only /),
    },
  ])
  const troubles: string[] = []
  {
    await using _journal = await openFilled(folder, { onTrouble: ({ message }) => troubles.push(message) })
    expect(troubles).toEqual([
      expect.stringMatching(/journal\.witness (is missing|cannot be read), so it is created again/),
    ])
  }
  // The new witness covers the earlier entries, too.
  expect((await verify(folder)).damage).toEqual([])
  expect([...(readWitness(join(folder, 'journal.witness'))?.heads.values() ?? [])]).toMatchObject([
    { session, seq: 2 },
  ])
})

it.each(lost)('[R5] a witness that is %s while the journal is open is written again', async (_, harm) => {
  const folder = newFolder()
  const troubles: string[] = []
  {
    await using journal = await openFilled(folder, { onTrouble: ({ message }) => troubles.push(message) })
    harm(join(folder, 'journal.witness'))
    await expect.poll(() => troubles).toEqual([expect.stringContaining('written again')])
    expect(journal.health()).toBeNull()
    await journal.append(session, [said('second')])
  }
  expect((await verify(folder)).damage).toEqual([])
  expect(readWitness(join(folder, 'journal.witness'))?.heads.get(1)?.seq).toBe(3)
})
