import type { Cell, Row, Tables } from '../journal/journal.ts'
import { DragomanError } from '../protocol/error.ts'
import type { EventOf } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import type { Decision } from '../protocol/manipulation.ts'

type Compiled = EventOf<'context-compiled'>

/** A request that a model was sent. */
export interface RequestRow extends Omit<Compiled, 'type' | 'changes'> {
  readonly seq: number
  /** How many parts became something else with it. */
  readonly changed: number
}

/** What the requests of a session were together. */
export interface RequestTotals {
  readonly requests: number
  /** Message tokens of the whole history, summed over all requests, and of what was sent. */
  readonly before: number
  readonly after: number
}

/** Which decisions: those that held at the request of an entry. */
export interface DecisionFilter {
  readonly asOf: number
  readonly part?: string
  readonly cursor?: string
  readonly limit: number
}

/** What a part became. */
export interface DecisionRow {
  readonly part: string
  readonly seq: number
  readonly decision: Decision
  readonly tokens: { readonly before: number; readonly after: number } | null
}

/** Some decisions, the oldest first, and the cursor of the page before: null when there is none. */
export interface DecisionPage {
  readonly decisions: readonly DecisionRow[]
  readonly total: number
  readonly next: string | null
}

/** The newest request, or the newest of a number. */
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

/** What all requests were together. */
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

/** What was not sent whole at a request: the decisions that were made last, or those before a cursor. */
export async function listDecisions(
  tables: Tables,
  session: SessionId,
  { asOf, part, cursor, limit }: DecisionFilter,
): Promise<DecisionPage> {
  const held = 'session = ? and seq <= ? and (until_seq is null or until_seq > ?)'
  const which: readonly [string, readonly Cell[]] =
    part === undefined ? [held, [session, asOf, asOf]] : [`${held} and part = ?`, [session, asOf, asOf, part]]
  const page: readonly [string, readonly Cell[]] =
    cursor === undefined ? ['', []] : ['and (seq, place) < (?, ?)', readCursor(cursor)]
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
    next: rows.length > limit && last !== undefined ? `${last['seq']}.${last['place']}` : null,
  }
}

/** All parts that were ever sent otherwise, and those whose lines stood for theirs. */
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

function readCursor(cursor: string): readonly Cell[] {
  const [, seq, place] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? []
  if (seq !== undefined && place !== undefined) return [Number(seq), Number(place)]
  throw new DragomanError('invalid-input', 'The cursor is not valid. Start again without a cursor.')
}
