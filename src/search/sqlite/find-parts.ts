import type { DatabaseSync } from 'node:sqlite'
import type { SessionId } from '../../protocol/ids.ts'
import { kinds, type Cursor, type EngineQuery, type Found } from '../engine.ts'
import type { Need } from '../query/need.ts'
import type { Filters, WordNeed } from '../query/query.ts'
import { blockAfter, blockOf, blockWith, places } from './place-of.ts'

type Cell = string | number
type Condition = readonly [sql: string, ...cells: Cell[]]

/**
 * Finds places, the newest first. Ids are in the order of time only from block to block, so all of a block is read and
 * put in order.
 */
export function findParts(db: DatabaseSync, query: EngineQuery): readonly Found[] {
  const { before, limit } = query
  const select = selectOf(db, query)
  const found: Found[] = []
  let top = before === null ? Number.MAX_SAFE_INTEGER : blockAfter(blockWith(before.id))
  while (found.length < limit) {
    const rows = select(0, top, limit)
    const bottom = blockWith(rows.at(-1)?.cursor.id ?? 0)
    const whole =
      rows.length < limit
        ? rows
        : [
            ...rows.filter(({ cursor }) => cursor.id >= blockAfter(bottom)),
            ...select(bottom, Math.min(top, blockAfter(bottom)), places),
          ]
    found.push(...inOrder(whole).filter(({ cursor }) => before === null || isBefore(cursor, before)))
    if (rows.length < limit) break
    top = bottom
  }
  return found.slice(0, limit)
}

/** The newest block first, and in it the newest text. */
const inOrder = (found: readonly Found[]): readonly Found[] =>
  found.toSorted(({ cursor: a }, { cursor: b }) => (isBefore(a, b) ? 1 : -1))

function isBefore(a: Cursor, b: Cursor): boolean {
  const blocks = blockWith(a.id) - blockWith(b.id)
  if (blocks !== 0) return blocks < 0
  return a.at === b.at ? a.id < b.id : a.at < b.at
}

/** Prepares to read the places with ids from one to another, which is not included, the largest id first. */
function selectOf(db: DatabaseSync, { words, needs, filters }: EngineQuery) {
  const isByWord = needs.length === 0 && words.length > 0
  const source = isByWord ? 'word' : needs.length > 0 ? 'gram' : 'part'
  const id = source === 'part' ? 'part.id' : `${source}.rowid`
  const conditions: Condition[] = [...timesOf(id, filters), ...conditionsOf(filters)]
  if (needs.length > 0) conditions.push(['gram match ?', needs.map(needText).join(' AND ')])
  if (words.length > 0 && isByWord) conditions.push(['word match ?', wordsText(words)])
  if (words.length > 0 && !isByWord)
    conditions.push(['+gram.rowid in (select rowid from word where word match ?)', wordsText(words)])
  const from = source === 'part' ? 'part' : `${source} cross join part on part.id = ${source}.rowid`
  const statement = db.prepare(
    `select part.id, session.id as session, message.id as message, message.thread, kind, name, part.at, first, part.seq
     from ${from} cross join session on session.no = part.session cross join message on message.no = part.message
     where ${conditions.map(([sql]) => sql).join(' and ')} and ${id} >= ? and ${id} < ? order by ${id} desc limit ?`,
  )
  const cells = conditions.flatMap(([, ...own]) => own)
  return (bottom: number, top: number, limit: number) =>
    statement.all(...cells, bottom, top, limit).map(foundIn)
}

function foundIn(row: Readonly<Record<string, unknown>>): Found {
  const kind = kinds[Number(row['kind'])] ?? 'answer'
  const at = Number(row['at'])
  return {
    cursor: { at, id: Number(row['id']) },
    session: row['session'] as SessionId,
    message: kind === 'title' ? null : String(row['message']),
    thread: String(row['thread']) || null,
    kind,
    part: String(row['name']),
    at,
    first: Number(row['first']),
    seq: Number(row['seq']),
  }
}

/** Times are also limits of ids, so that no older texts are looked at. */
function timesOf(id: string, { before, after }: Filters): readonly Condition[] {
  const conditions: Condition[] = []
  if (before !== undefined) conditions.push(['part.at < ?', before])
  if (after !== undefined) conditions.push([`${id} >= ?`, blockOf(after)], ['part.at >= ?', after])
  return conditions
}

function conditionsOf({ session, agent, folder, tool, file, status, costAbove, costBelow }: Filters) {
  const conditions: Condition[] = [['session.deleted = 0']]
  if (session !== undefined) conditions.push(['session.id = ?', session])
  if (agent !== undefined) conditions.push(['session.agent = ? collate nocase', agent])
  if (folder !== undefined) conditions.push([like('session.folder'), part(folder)])
  if (status !== undefined) conditions.push(['session.status = ?', status])
  if (costAbove !== undefined) conditions.push(['session.cost > ?', costAbove])
  if (costBelow !== undefined) conditions.push(['session.cost < ?', costBelow])
  if (tool !== undefined)
    conditions.push([
      'part.tool in (select no from tool where name = ? collate nocase or family = ? collate nocase)',
      tool,
      tool,
    ])
  if (file !== undefined)
    conditions.push([`part.file in (select no from file where ${like('paths')})`, part(file)])
  return conditions
}

const like = (column: string) => String.raw`${column} like ? escape '\'`
const part = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** Forms of words have only letters and digits, so they need no escaping. */
const wordsText = (words: readonly WordNeed[]) => words.map(wordText).join(' AND ')

function wordText({ word, isPrefix, pieces = [] }: WordNeed): string {
  const ending = isPrefix ? ' *' : ''
  if (pieces.length === 0) return `"${word}"${ending}`
  // The identifier may begin a longer one in any case.
  return `("${word}" * OR (${pieces.map(piece => `"${piece}"`).join(' AND ')}${ending}))`
}

const mostGrams = 24

/** Every three signs of the texts; of a long text, some of them. */
function needText(need: Need): string {
  if ('all' in need) return `(${need.all.map(needText).join(' AND ')})`
  if ('any' in need) return `(${need.any.map(needText).join(' OR ')})`
  const signs = Array.from(need.text)
  const grams = [...new Set(signs.slice(2).map((_, index) => signs.slice(index, index + 3).join('')))]
  const step = Math.max(1, grams.length / mostGrams)
  const chosen = grams.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step))
  return `(${chosen.map(gram => `"${gram.replaceAll('"', '""')}"`).join(' AND ')})`
}
