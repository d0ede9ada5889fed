import type { Journal } from '../journal/journal.ts'
import type { Cursor, EngineQuery, Found } from './engine.ts'
import { badQuery } from './query/bad-query.ts'
import type { Query } from './query/query.ts'
import type { Snippet } from './match/snippet.ts'
import { needOf } from './query/need.ts'
import { readTexts } from './read-texts.ts'
import type { Hit, SearchPage } from './search.ts'
import type { SessionId } from '../protocol/ids.ts'
import { DeadlineError, type CallThread } from './threads/call-thread.ts'
import type { MatchPart, QueryCalls, Unreadable } from './threads/messages.ts'

/** What a search needs. */
export interface Finding {
  readonly thread: Pick<CallThread<QueryCalls>, 'call'>
  readonly journal: Pick<Journal, 'readTexts'>
  /** Those of the sessions that are deleted. */
  readonly deletedOf: (sessions: readonly SessionId[]) => Promise<ReadonlySet<SessionId>>
  readonly now: () => number
}

/** After this time, a page ends with the hits that it has. */
const pageMs = 2000
/** No text is compared for longer. A pattern that takes longer is refused. */
const matchMs = 2000
/** So many texts are compared together. */
const fewest = 20
const most = 200
/** No more characters than that go to the thread at once, but at least one text: a long copy delays everything else. */
const mostCharacters = 2 * 1024 * 1024

/** Finds a page of hits: asks the index for places, reads their texts, and compares those. */
export async function findHits(
  finding: Finding,
  query: Query,
  { cursor, limit }: { readonly cursor: Cursor | null; readonly limit: number },
): Promise<Omit<SearchPage, 'behind'> | Unreadable> {
  const until = finding.now() + pageMs
  const hits: Hit[] = []
  let before = cursor
  let size = Math.max(fewest, Math.min(limit, most))
  for (;;) {
    const found = await finding.thread.call('find', engineQuery(query, before, size))
    if (typeof found === 'string') return found
    for (let from = 0; from < found.length; from += fewest) {
      const some = found.slice(from, from + fewest)
      const compared = await compare(finding, query, some)
      for (const [index, hit] of compared.entries()) {
        before = some[index]?.cursor ?? before
        if (hit !== null) hits.push(hit)
        if (hits.length === limit) return { hits, next: writeCursor(before) }
      }
      if (finding.now() > until) return { hits, next: writeCursor(before) }
    }
    if (found.length < size) return { hits, next: null }
    size = Math.min(size * 2, most)
  }
}

function engineQuery({ terms, filters }: Query, before: Cursor | null, limit: number): EngineQuery {
  const words = terms.flatMap(term =>
    term.type === 'word' ? [term] : term.type === 'exact' ? term.words : [],
  )
  const needs = terms.map(term =>
    term.type === 'exact' ? needOf(term.text) : term.type === 'pattern' ? term.need : null,
  )
  return { words, needs: needs.filter(need => need !== null), filters, before, limit }
}

/** Compares places with the query, and gives for each a hit, or null. */
async function compare(
  { thread, journal, deletedOf }: Finding,
  { terms }: Query,
  places: readonly Found[],
): Promise<readonly (Hit | null)[]> {
  const read = await readTexts(journal, places)
  const parts = [...read.values()]
  const byPlace = new Map<Found, Snippet | null>()
  const until = performance.now() + matchMs
  try {
    for (const some of portions(parts)) {
      const snippets = await thread.call(
        'match',
        { terms, parts: some },
        Math.max(1, until - performance.now()),
      )
      for (const [index, { found }] of some.entries()) byPlace.set(found, snippets[index] ?? null)
    }
    // The index may not know yet that a session was deleted.
    const deleted = await deletedOf([...new Set(parts.map(({ found }) => found.session))])
    return places.map(found => {
      const snippet = byPlace.get(found) ?? null
      return snippet === null || deleted.has(found.session) ? null : { ...hitAt(found), ...snippet }
    })
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error
    throw badQuery(
      'The search took too long and was stopped. Use a simpler pattern, without repetition inside repetition, or add a filter.',
    )
  }
}

function* portions(parts: readonly MatchPart[]): Generator<readonly MatchPart[]> {
  let some: MatchPart[] = []
  let characters = 0
  for (const part of parts) {
    const size = part.texts.reduce((sum, { length }) => sum + length, 0)
    if (some.length > 0 && characters + size > mostCharacters) {
      yield some
      some = []
      characters = 0
    }
    some.push(part)
    characters += size
  }
  if (some.length > 0) yield some
}

const hitAt = ({ session, seq, message, part, kind, at }: Found) => ({
  session,
  seq,
  messageId: message,
  part: message === null ? null : `${message}/${part}`,
  kind,
  at,
})

const writeCursor = (cursor: Cursor | null) => (cursor === null ? null : `${cursor.at}.${cursor.id}`)

/** Reads the `next` of a page. */
export function readCursor(text: string): Cursor {
  const [, at, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
  if (at === undefined || id === undefined)
    throw badQuery('The cursor is not valid. Start again without a cursor.')
  return { at: Number(at), id: Number(id) }
}
