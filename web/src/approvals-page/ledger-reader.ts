import type { Client, ListedSession, Readable } from 'dragoman/client'
import { createWritable } from 'dragoman/client/readable'
import { keyOf, mergePast, type LedgerRow, type LedgerRule } from './ledger.ts'

/** The data loaded so far. */
export interface LedgerState {
  /** Pending requests, oldest first. */
  readonly waiting: readonly LedgerRow[]
  /** Settled requests, newest first, as far as loaded. */
  readonly past: readonly LedgerRow[]
  readonly rules: readonly LedgerRule[]
  /** The mark for which this was read; null before anything was. */
  readonly mark: string | null
  readonly hasMore: boolean
  readonly isReading: boolean
  /** Why something could not be read, in a sentence. */
  readonly problem: string | null
}

/** Reads the approvals and rules of all sessions, page by page. */
export interface LedgerReader extends Readable<LedgerState> {
  /** Reads what is new, unless that was done for the same mark. */
  readonly want: (mark: string) => void
  /** Reads what is new once more. */
  readonly again: () => void
  /** Loads the next page of settled requests. */
  readonly readMore: () => void
}

/** The server gives no more at a time. */
const limit = '100'

const nothing: LedgerState = {
  waiting: [],
  past: [],
  rules: [],
  mark: null,
  hasMore: false,
  isReading: false,
  problem: null,
}

/** Begins with nothing read. One reading at a time: what is wanted meanwhile is read after it, once. */
export function createLedgerReader(client: Pick<Client, 'call'>): LedgerReader {
  const state = createWritable(nothing)
  let cursor: string | null = null
  let wanted: string | null = null
  let isDue = false
  const change = (next: Partial<LedgerState>) => state.set({ ...state.get(), ...next })

  const refresh = async () => {
    isDue = false
    const mark = wanted
    const { waiting: before, past: known } = state.get()
    const [asked, rules] = await Promise.all([readWaiting(client), readRules(client)])
    const read = await readPast(client, horizonOf(before, asked, known))
    // Requests answered between the two responses are in both.
    const over = new Set(read.rows.map(keyOf))
    const waiting = asked.filter(row => !over.has(keyOf(row)))
    const past = mergePast(read.rows, read.next === null ? [] : known)
    if (past.length === read.rows.length) cursor = read.next
    change({ waiting, rules, past, mark, hasMore: cursor !== null })
  }
  const more = async () => {
    if (cursor === null) return
    const page = await readPage(client, 'settled', cursor)
    cursor = page.next
    change({ past: mergePast(state.get().past, page.rows), hasMore: cursor !== null })
  }
  const work = async (read: () => Promise<void>): Promise<void> => {
    if (state.get().isReading) return
    change({ isReading: true, problem: null })
    const problem = await read().then(
      () => null,
      (error: Error) => error.message,
    )
    change({ isReading: false, problem })
    if (isDue && problem === null) await work(refresh)
  }
  const again = () => {
    isDue = true
    void work(refresh)
  }
  return {
    get: state.get,
    subscribe: state.subscribe,
    again,
    want(mark) {
      if (mark === wanted && state.get().problem === null) return
      wanted = mark
      again()
    },
    readMore: () => void work(more),
  }
}

interface Page {
  readonly rows: readonly LedgerRow[]
  readonly next: string | null
}

async function readPage(
  { call }: Pick<Client, 'call'>,
  status: 'pending' | 'settled',
  cursor: string | null,
): Promise<Page> {
  const query = { status, limit, ...(cursor !== null && { cursor }) }
  const { approvals, sessions, next } = await call('GET /api/approvals', { query })
  return {
    rows: withSessions(approvals, sessions).map(([approval, session]) => ({ session, approval })),
    next,
  }
}

/** Reads pages from the newest on, until one of them makes it enough. */
async function readUntil(
  client: Pick<Client, 'call'>,
  status: 'pending' | 'settled',
  isEnough: (page: Page) => boolean,
): Promise<Page> {
  const rows: LedgerRow[] = []
  let next: string | null = null
  do {
    const page: Page = await readPage(client, status, next)
    rows.push(...page.rows)
    next = page.next
    if (isEnough(page)) break
  } while (next !== null)
  return { rows, next }
}

const readWaiting = async (client: Pick<Client, 'call'>) =>
  (await readUntil(client, 'pending', () => false)).rows.toReversed()

/** Reads what is over since a moment, and a page at least. */
const readPast = (client: Pick<Client, 'call'>, since: number) =>
  readUntil(client, 'settled', ({ rows }) => rows.some(({ approval }) => approval.requested.at < since))

/** How far back something can be over that was not before: to what waited, and to what is known already. */
function horizonOf(
  before: readonly LedgerRow[],
  waiting: readonly LedgerRow[],
  known: readonly LedgerRow[],
): number {
  const still = new Set(waiting.map(keyOf))
  const gone = before.filter(row => !still.has(keyOf(row)))
  return Math.min(...[...gone, ...known.slice(0, 1)].map(({ approval }) => approval.requested.at))
}

async function readRules({ call }: Pick<Client, 'call'>): Promise<readonly LedgerRule[]> {
  const { rules, sessions } = await call('GET /api/rules')
  return withSessions(rules, sessions).map(([rule, session]) => ({ session, rule }))
}

function withSessions<Item extends { readonly session: string }>(
  items: readonly Item[],
  sessions: readonly ListedSession[],
): readonly (readonly [Item, ListedSession])[] {
  const known = new Map(sessions.map(session => [session.id, session]))
  return items.flatMap(item => {
    const session = known.get(item.session)
    return session === undefined ? [] : [[item, session] as const]
  })
}
