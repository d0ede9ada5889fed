import type { Replied } from '../../protocol/api/api.ts'
import type { Caller } from '../call.ts'

/** A place in a session that a person may look for. */
export interface ReplayMark {
  readonly seq: number
  readonly at: number
  readonly kind: 'prompt' | 'approval' | 'failure'
  /** A short description. */
  readonly label: string
}

type Interaction = Replied<'listInteractions'>['interactions'][number]

/** As many pages of each kind as are looked at: what is older has no marks. */
const mostPages = 10

/** Reads where prompts, questions and failures are, the oldest first, without reading the session itself. */
export async function readMarks(
  client: Pick<Caller, 'call'>,
  session: string,
  signal: AbortSignal,
): Promise<readonly ReplayMark[]> {
  const params = { session }
  const [interactions, { approvals }, failures] = await Promise.all([
    readPages(async (before: number | null) => {
      const query = { limit: '500', ...(before !== null && { before: String(before) }) }
      const { interactions: items, next } = await client.call(
        'GET /api/sessions/:session/interactions',
        { params, query },
        { signal },
      )
      return { items, next }
    }),
    client.call('listApprovals', { params, query: { all: '1' } }, { signal }),
    readPages(async (cursor: string | null) => {
      const query = { outcome: 'failure', limit: '1000', ...(cursor !== null && { cursor }) } as const
      const { entries: items, next } = await client.call(
        'GET /api/sessions/:session/work-log',
        { params, query },
        { signal },
      )
      return { items, next }
    }),
  ])
  return [
    ...interactions.flatMap(marksOf),
    ...approvals.map(({ requested, tool, status }): ReplayMark => ({
      ...requested,
      kind: 'approval',
      label: `Approval of ${tool}: ${status}`,
    })),
    ...failures.flatMap(({ stop, start, tool, sentence }): readonly ReplayMark[] => {
      const place = stop ?? start
      return place === null ? [] : [{ ...place, kind: 'failure', label: `${tool} failed: ${sentence}` }]
    }),
  ].toSorted((one, other) => one.seq - other.seq)
}

async function readPages<Item, Cursor>(
  read: (cursor: Cursor | null) => Promise<{ readonly items: readonly Item[]; readonly next: Cursor | null }>,
): Promise<readonly Item[]> {
  const all: Item[] = []
  let cursor: Cursor | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const { items, next } = await read(cursor)
    all.push(...items)
    if (next === null) break
    cursor = next
  }
  return all
}

function marksOf({ trigger, start, stop, outcome, reason }: Interaction): readonly ReplayMark[] {
  const label = trigger === 'user' ? 'Prompt' : 'Started automatically'
  const failed = stop !== null && outcome === 'failed'
  return [
    { ...start, kind: 'prompt', label },
    ...(failed ? [{ ...stop, kind: 'failure', label: reason ?? 'The interaction failed' } as const] : []),
  ]
}
