import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { created, spoke, start, started, text, finish } from '../projections/journal.fixture.ts'
import type { SessionId } from '../protocol/ids.ts'
import { openStore, type SqliteStore } from '../store/open-store.ts'
import type { SearchWish } from './search.ts'

let folder: string
let store: SqliteStore
const open = () => openStore({ folder, durability: 'fast' })
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-search-'))
  store = await open()
})
afterEach(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const find = async (query: string, more: Partial<SearchWish> = {}) =>
  (await store.search.find({ query, limit: 20, ...more })).hits
const places = async (query: string) => (await find(query)).map(({ session, kind }) => `${session} ${kind}`)

/** A session with a prompt and an answer. */
async function talk(session: string, prompt: string, answer: string): Promise<void> {
  await store.journal.create(session as SessionId, [
    created(),
    started('i', prompt),
    spoke('i', null, start('m'), ...text('t', answer), finish),
  ])
}

/** The catalogue lists sessions whose rows were saved. */
async function list(...sessions: readonly string[]): Promise<void> {
  const { catchUp } = await import('../catalogue/catch-up.ts')
  for (const session of sessions) await catchUp(store, session as SessionId)
}

/** How many threads of this process let all others go first. */
function threadsInBack(): number {
  const nice = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  return readdirSync('/proc/self/task').filter(
    thread => nice(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')) === 19,
  ).length
}

describe('the search', () => {
  it.runIf(process.platform === 'linux')('[J15] indexes at the lowest priority', async () => {
    await talk('a', 'Fix the parser', 'It works.')
    await list('a')
    await expect.poll(() => places('parser')).toHaveLength(1)
    expect(threadsInBack()).toBeGreaterThan(0)
  })

  it('[J15] finds what was saved before its start, and follows what is saved later', async () => {
    await talk('a', 'Fix the parser', 'The parser works again.')
    await list('a')
    await expect.poll(() => places('parser')).toEqual(['a answer', 'a prompt'])
    await talk('b', 'And the lexer?', 'It never worked.')
    await expect.poll(() => places('lexer')).toEqual(['b prompt'])
    await store.journal.append('b' as SessionId, [{ type: 'session-renamed', title: 'Lexer trouble' }])
    await expect.poll(() => places('lexer')).toEqual(['b title', 'b prompt'])
    const [hit] = await find('never')
    expect(hit).toMatchObject({
      session: 'b',
      seq: 3,
      messageId: 'm',
      part: 'm/t',
      kind: 'answer',
      ranges: [[3, 8]],
    })
    expect(hit?.snippet).toBe('It never worked.')
    expect(await store.search.behind()).toBe(0)
  })

  it('[J15] finds a text that still grows, and its final form once', async () => {
    await store.journal.create('a' as SessionId, [created(), started('i', 'Go')])
    store.search.start()
    const say = (delta: string) => spoke('i', null, { type: 'text-delta', id: 't', delta })
    const begin = spoke('i', null, start('m'), { type: 'text-start', id: 't' })
    await store.journal.append('a' as SessionId, [begin, say('half a sen')])
    await expect.poll(() => places('half')).toEqual(['a answer'])
    await store.journal.append('a' as SessionId, [
      say('tence'),
      spoke('i', null, { type: 'text-end', id: 't' }, finish),
    ])
    await expect.poll(() => places('"half a sentence"')).toEqual(['a answer'])
    expect(await places('half')).toEqual(['a answer'])
  })

  it('[J15] does not find deleted sessions, until they are restored', async () => {
    await talk('a', 'A secret', 'Shh.')
    await list('a')
    await expect.poll(() => places('secret')).toEqual(['a prompt'])
    await store.journal.append('a' as SessionId, [{ type: 'session-deleted' }])
    expect(await places('secret')).toEqual([])
    await store.journal.append('a' as SessionId, [{ type: 'session-undeleted' }])
    expect(await places('secret')).toEqual(['a prompt'])
  })

  it('[J15] does not find a deleted session, even if the index cannot be written', async () => {
    await talk('a', 'A secret', 'Shh.')
    await list('a')
    await expect.poll(() => places('secret')).toEqual(['a prompt'])
    using other = new DatabaseSync(join(folder, 'search.db'))
    other.exec('begin immediate')
    await store.journal.append('a' as SessionId, [{ type: 'session-deleted' }])
    await list('a')
    expect(await places('secret')).toEqual([])
    other.exec('rollback')
  })

  it('[J15] never says that there is nothing because the index is gone', async () => {
    await talk('a', 'A needle', 'Hay.')
    await list('a')
    await expect.poll(() => places('needle')).toEqual(['a prompt'])
    for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `search.db${ending}`), { force: true })
    const { hits, behind } = await store.search.find({ query: 'needle', limit: 20 })
    expect(hits.length + behind).toBeGreaterThan(0)
  })

  it.each([
    ['damaged', (path: string) => truncateSync(`${path}-wal`, 0)],
    ['overwritten', (path: string) => writeFileSync(path, 'garbage '.repeat(9999))],
    [
      'replaced',
      (path: string) => {
        rmSync(path)
        writeFileSync(path, 'garbage '.repeat(9999))
      },
    ],
    [
      'replaced by a pipe',
      (path: string) => {
        rmSync(path)
        execFileSync('mkfifo', [path])
      },
    ],
  ])('[J15] makes an index again that was %s while it is used', async (_, spoil) => {
    await talk('a', 'A needle', 'Hay.')
    await list('a')
    await expect.poll(() => places('needle')).toEqual(['a prompt'])
    spoil(join(folder, 'search.db'))
    await talk('b', 'Another needle', 'Hay.')
    await list('b')
    await expect
      .poll(() => places('needle').catch(() => null), { timeout: 30_000 })
      .toEqual(['b prompt', 'a prompt'])
  })

  it('[J15] goes on where it was after a restart, and makes a deleted index again', async () => {
    await talk('a', 'Before the restart', 'Yes.')
    await list('a')
    await expect.poll(() => places('restart')).toEqual(['a prompt'])
    await store[Symbol.asyncDispose]()
    store = await open()
    await talk('b', 'After the restart', 'Yes.')
    await list('b')
    await expect.poll(() => places('restart')).toEqual(['b prompt', 'a prompt'])
    for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `search.db${ending}`), { force: true })
    await expect.poll(() => places('restart')).toEqual(['b prompt', 'a prompt'])
    await talk('c', 'Long after the restart', 'Yes.')
    await expect.poll(() => places('restart')).toEqual(['c prompt', 'b prompt', 'a prompt'])
  })

  it('[J15] loses nothing when the index is deleted while it is written', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `s${index}`)
    store.search.start()
    for (const [index, name] of names.entries()) {
      await talk(name, `needle in ${name}`, 'hay')
      if (index % 13 === 5)
        for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `search.db${ending}`), { force: true })
      if (index % 13 === 6) await places('needle')
    }
    await list(...names)
    await expect.poll(async () => (await find('needle', { limit: 50 })).length).toBe(40)
  })

  it('[J15] gives every hit once, page by page', async () => {
    for (let index = 0; index < 30; index += 1) await talk(`s${index}`, `needle number ${index}`, 'hay')
    await list(...Array.from({ length: 30 }, (_, index) => `s${index}`))
    await expect.poll(async () => (await find('needle', { limit: 50 })).length).toBe(30)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = await store.search.find({
        query: '/needle n.mber/',
        limit: 7,
        ...(cursor !== null && { cursor }),
      })
      seen.push(...page.hits.map(({ session }) => session))
      cursor = page.next
    } while (cursor !== null)
    expect(seen.toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => `s${index}`).toSorted())
  })

  it('[S28] stops a pattern that takes too long, and answers the next search', async () => {
    await talk('a', 'Hello', `${'a'.repeat(60)}!`)
    await list('a')
    await expect.poll(() => places('hello')).toEqual(['a prompt'])
    let turns = 0
    const ticking = setInterval(() => (turns += 1), 10)
    await expect(find('/^(a+)+$/')).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(
        /^The search took too long and was stopped. Use a simpler pattern/,
      ) as string,
    })
    clearInterval(ticking)
    expect(turns).toBeGreaterThan(20)
    expect(await places('hello')).toEqual(['a prompt'])
  })

  it('[J15] refuses a cursor that is not one of ours', async () => {
    await expect(find('x', { cursor: '1; drop table part' })).rejects.toMatchObject({ code: 'invalid-input' })
  })
})
