import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SessionId } from '../protocol/ids.ts'
import type { EngineQuery, Found, IndexedPart, SearchEngine, SessionBatch } from './engine.ts'
import { parseQuery } from './query/parse-query.ts'

const start = Date.UTC(2026, 10, 1)
const hour = 3_600_000

const part = (text: string, more: Partial<IndexedPart> = {}): IndexedPart => ({
  thread: null,
  message: 'm',
  kind: 'answer',
  part: text,
  tool: null,
  family: null,
  files: [],
  at: start,
  first: 1,
  seq: 2,
  text,
  ...more,
})

const batch = (
  session: string,
  parts: readonly IndexedPart[],
  more: Partial<Omit<SessionBatch, 'facts'> & NonNullable<SessionBatch['facts']>> = {},
): SessionBatch => {
  const { agent = 'codex', cwd = '/work/project', status = 'idle', cost = 1, deleted = false } = more
  const { seq = 2, state = { any: 'state' }, removed = [] } = more
  return {
    session: session as SessionId,
    seq,
    state,
    facts: { agent, cwd, status, cost, deleted },
    removed,
    parts,
  }
}

/** What an engine is asked for a query. */
function asked(text: string, more: Partial<EngineQuery> = {}): EngineQuery {
  const { terms, filters } = parseQuery(text)
  const words = terms.flatMap(term =>
    term.type === 'word' ? [term] : term.type === 'exact' ? term.words : [],
  )
  const needs = terms.flatMap(term => {
    const need =
      term.type === 'pattern' ? term.need : term.type === 'exact' ? { text: term.text.toLowerCase() } : null
    return need === null ? [] : [need]
  })
  return { words, needs, filters, before: null, limit: 100, ...more }
}

const names = (found: readonly Found[]) => found.map(each => each.part)

/** The rules of an index of texts, for an engine on any database. `open` gives an empty one. */
export function describeEngine(name: string, open: () => Promise<SearchEngine>): void {
  describe(`an index on ${name}`, () => {
    let engine: SearchEngine
    beforeEach(async () => {
      engine = await open()
    })
    afterEach(() => engine[Symbol.asyncDispose]())
    const find = async (text: string, more?: Partial<EngineQuery>) =>
      names(await engine.find(asked(text, more)))

    it('[J15] finds words, the beginning of the last one, and pieces of identifiers', async () => {
      await engine.save([
        batch('s', [part('deploy the getUserById'), part('Deployment naïve', { part: 'b' })]),
      ])
      expect(await find('deploy the')).toEqual(['deploy the getUserById'])
      expect((await find('deploy')).toSorted()).toEqual(['b', 'deploy the getUserById'])
      expect(await find('user deploy')).toEqual(['deploy the getUserById'])
      expect(await find('ployment')).toEqual([])
      expect(await find('naive')).toEqual(['b'])
      expect(await find('nothing')).toEqual([])
    })

    it('[J15] finds whatever has the three signs of an exact text or a pattern', async () => {
      await engine.save([batch('s', [part('a "Quoted" text'), part('日本語の検索', { part: 'b' })])])
      expect(await find('"quoted"')).toEqual(['a "Quoted" text'])
      expect(await find('"uote"')).toEqual(['a "Quoted" text'])
      expect(await find('/(?:quoted|other)/')).toEqual(['a "Quoted" text'])
      expect(await find('本語の')).toEqual(['b'])
      expect(await find('検索', { needs: [] })).toEqual(['b'])
      expect(await find('"absent text"')).toEqual([])
    })

    it('[S28] reads a pattern with groups in groups in groups', async () => {
      await engine.save([batch('s', [part('some abcdef')])])
      expect(await find(`/${'(?:abc|'.repeat(35)}abc${')'.repeat(35)}/`)).toEqual(['some abcdef'])
      expect(await find(`/${'(?:some|abc(?:'.repeat(16)}def${'))'.repeat(16)}/`)).toEqual(['some abcdef'])
      expect(await find(String.raw`/\141bcdef/`)).toEqual(['some abcdef'])
    })

    it('[J15] gives the newest first, page by page, whenever they were saved', async () => {
      const times = Array.from({ length: 60 }, (_, index) => start + ((index * 37) % 60) * 0.4 * hour)
      for (const [index, at] of times.entries())
        await engine.save([
          batch(`s${index % 7}`, [part('same', { part: String(index), message: `m${index}`, at })]),
        ])
      const wanted = times.map((at, index) => ({ at, index })).toSorted((a, b) => b.at - a.at)
      const pages: Found[] = []
      for (let before: EngineQuery['before'] = null; ;) {
        const page: readonly Found[] = await engine.find(asked('same', { before, limit: 7 }))
        pages.push(...page)
        before = page.at(-1)?.cursor ?? null
        if (page.length < 7) break
      }
      expect(names(pages)).toEqual(wanted.map(({ index }) => String(index)))
    })

    it('[J15] has many texts of the same moment', async () => {
      const many = Array.from({ length: 5000 }, (_, index) => part('same', { part: String(index) }))
      await engine.save([
        batch('s', many),
        batch('t', [part('same', { part: 'later', at: start + hour * 9 })]),
      ])
      const found = await find('same', { limit: 6000 })
      expect(found).toHaveLength(5001)
      expect(new Set(found).size).toBe(5001)
    })

    it('[J15] replaces a text with the same key, and removes texts', async () => {
      await engine.save([batch('s', [part('first words', { part: 'p' }), part('other', { part: 'q' })])])
      await engine.save([batch('s', [part('second words', { part: 'p' })])])
      expect(await find('first')).toEqual([])
      expect(await find('"first"')).toEqual([])
      expect(await find('words')).toEqual(['p'])
      await engine.save([batch('s', [], { removed: [{ thread: null, message: 'm', part: 'p' }] })])
      expect(await find('words')).toEqual([])
      await engine.save([batch('s', [part(' ', { part: 'q' })])])
      expect(await find('other')).toEqual([])
    })

    it('[J15] tells threads, messages, kinds and sessions apart', async () => {
      const keys = [
        {},
        { thread: 'call' },
        { message: 'n' },
        { kind: 'thinking' },
        { message: null, kind: 'title' },
      ] as const
      await engine.save([
        batch(
          's',
          keys.map(key => part('same', { part: 'p', ...key })),
        ),
        batch('t', [part('same')]),
      ])
      const found = await engine.find(asked('same'))
      expect(found).toHaveLength(6)
      expect(found).toContainEqual(
        expect.objectContaining({ session: 's', thread: 'call', message: 'm', first: 1, seq: 2 }),
      )
      expect(found).toContainEqual(expect.objectContaining({ kind: 'title', message: null }))
    })

    it('[J15] filters by the facts of sessions, calls and times', async () => {
      const call = {
        tool: 'Bash',
        family: 'run',
        files: ['/work/a/main.ts', '/work/a/b_c.ts'],
        at: start + 2 * hour,
      }
      await engine.save([
        batch('s', [part('same'), part('same', { part: 'call', ...call })]),
        batch('t', [part('same', { part: 'other' })], {
          agent: 'opencode',
          cwd: '/home/x_y',
          status: 'failed',
          cost: 7,
        }),
        batch('gone', [part('same', { part: 'gone' })], { deleted: true }),
      ])
      const filtered = async (filter: string) => (await find(`${filter} same`)).toSorted()
      expect(await filtered('agent:Codex')).toEqual(['call', 'same'])
      expect(await filtered('folder:x_y')).toEqual(['other'])
      expect(await filtered('folder:%')).toEqual([])
      expect(await filtered('status:failed')).toEqual(['other'])
      expect(await filtered('cost>2')).toEqual(['other'])
      expect(await filtered('cost<2')).toEqual(['call', 'same'])
      expect(await filtered('session:t')).toEqual(['other'])
      expect(await filtered('tool:bash')).toEqual(['call'])
      expect(await filtered('tool:run')).toEqual(['call'])
      expect(await filtered('file:MAIN.ts')).toEqual(['call'])
      expect(await filtered('file:bXc')).toEqual([])
      expect(await filtered('after:2026-11-01T01:00')).toEqual(['call'])
      expect(await filtered('before:2026-11-01T01:00')).toEqual(['other', 'same'])
      expect(await find('tool:Bash')).toEqual(['call'])
    })

    it('[J15] remembers how far each session is indexed, and forgets sessions', async () => {
      await engine.save([
        batch('s', [part('same')], { seq: 5, state: { a: [1] } }),
        batch('t', [part('same')]),
      ])
      expect([...(await engine.positions())]).toEqual(
        expect.arrayContaining([
          ['s', 5],
          ['t', 2],
        ]),
      )
      expect(await engine.state('s' as SessionId)).toEqual({ seq: 5, state: { a: [1] } })
      await engine.forget('s' as SessionId)
      expect(await engine.state('s' as SessionId)).toBeUndefined()
      expect(await find('same session:s')).toEqual([])
      expect(await find('same')).toHaveLength(1)
    })
  })
}
