import type { Row, Sql, Tables } from '../../journal/sqlite/tables.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { Decision } from '../../protocol/manipulation.ts'
import { entryCursor } from '../cursor.ts'
import type { DecisionFilter, DecisionPage, DecisionRow, RequestRow, RequestTotals } from '../list-context.ts'

/** The newest request, or the newest with a step. */
export async function findRequest(
  tables: Tables,
  session: SessionId,
  step: number | undefined,
): Promise<RequestRow | undefined> {
  const [row] =
    step === undefined
      ? await tables.read('select * from context_request where session = ? order by seq desc limit 1', [
          session,
        ])
      : await tables.read(
          'select * from context_request where session = ? and step = ? order by seq desc limit 1',
          [session, step],
        )
  return row && readRequest(row)
}

const readRequest = (row: Row): RequestRow => ({
  ...(JSON.parse(String(row['facts'])) as Omit<RequestRow, 'seq' | 'at' | 'step' | 'tokens'>),
  seq: Number(row['seq']),
  at: Number(row['at']),
  step: Number(row['step']),
  tokens: { before: Number(row['tokens_before']), after: Number(row['tokens_after']) },
})

/** The sums over all requests. */
export async function sumRequests(tables: Tables, session: SessionId): Promise<RequestTotals> {
  const [row] = await tables.read(
    `select count(*) as requests, coalesce(sum(tokens_before), 0) as before, coalesce(sum(tokens_after), 0) as after
     from context_request where session = ?`,
    [session],
  )
  return {
    requests: Number(row?.['requests'] ?? 0),
    before: Number(row?.['before'] ?? 0),
    after: Number(row?.['after'] ?? 0),
  }
}

/** The decisions in effect at a request: the newest, or those before a cursor. */
export async function listDecisions(
  tables: Tables,
  session: SessionId,
  { asOf, part, cursor, limit }: DecisionFilter,
): Promise<DecisionPage> {
  const held = 'session = ? and seq <= ? and (until_seq is null or until_seq > ?)'
  const which: Sql =
    part === undefined ? [held, [session, asOf, asOf]] : [`${held} and part = ?`, [session, asOf, asOf, part]]
  const page: Sql = cursor === undefined ? ['', []] : ['and (seq, place) < (?, ?)', entryCursor.read(cursor)]
  const [[count], rows] = await Promise.all([
    tables.read(`select count(*) as total from context_decision where ${which[0]}`, which[1]),
    tables.read(
      `select * from context_decision where ${which[0]} ${page[0]} order by seq desc, place desc limit ?`,
      [...which[1], ...page[1], limit + 1],
    ),
  ])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    decisions: shown.toReversed().map(readDecision),
    total: Number(count?.['total'] ?? 0),
    next:
      rows.length > limit && last !== undefined
        ? entryCursor.write([Number(last['seq']), Number(last['place'])])
        : null,
  }
}

/** All parts that were ever not sent in full, and those that they referred to. */
export async function listParts(tables: Tables, session: SessionId): Promise<readonly string[]> {
  const rows = await tables.read(
    `select part from context_decision where session = ?1
     union
     select span.value ->> 'source' from context_decision, json_each(decision, '$.spans') as span where session = ?1`,
    [session],
  )
  return rows.map(row => String(row['part']))
}

const readDecision = (row: Row): DecisionRow => ({
  part: String(row['part']),
  seq: Number(row['seq']),
  decision: JSON.parse(String(row['decision'])) as Decision,
  tokens: row['tokens'] === null ? null : (JSON.parse(String(row['tokens'])) as DecisionRow['tokens']),
})
