import type { Client } from 'dragoman/client'
import type { FoundPlace } from '../search/find-loaded.ts'
import { cacheOf } from '../ui/use-fetched.ts'

/** What one can go to in a conversation, besides messages. */
export type Landmark = 'failure' | 'change'

/** A tool call, and the interaction that it belongs to. */
export interface LandmarkPlace extends FoundPlace {
  readonly interaction: string | null
}

const page = 1000
const mostPages = 5
const freshMs = 5000

const filters: { readonly [Kind in Landmark]: readonly Readonly<Record<string, string>>[] } = {
  failure: [{ outcome: 'failure' }],
  change: [
    { outcome: 'success', tool: 'edit' },
    { outcome: 'success', tool: 'write' },
  ],
}

/** The failed calls of a session, or those that changed a file, in their order; those of messages that are not loaded, too. */
export const landmarksOf = (
  client: Client,
  session: string,
  kind: Landmark,
): Promise<readonly LandmarkPlace[]> =>
  cacheOf(client).fetchQuery({
    queryKey: landmarksKey(session, kind),
    queryFn: ({ signal }) => readLandmarks(client, session, kind, signal),
    staleTime: freshMs,
  })

/** Under which they are cached. */
export const landmarksKey = (session: string, kind: Landmark): readonly string[] => [
  'landmarks',
  session,
  kind,
]

/** Reads them from the work log. */
export async function readLandmarks(
  client: Client,
  session: string,
  kind: Landmark,
  signal: AbortSignal,
): Promise<readonly LandmarkPlace[]> {
  const found = await Promise.all(filters[kind].map(filter => readCalls(client, session, filter, signal)))
  return found.flat().toSorted((a, b) => a.seq - b.seq)
}

async function readCalls(
  client: Client,
  session: string,
  filter: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly LandmarkPlace[]> {
  const places: LandmarkPlace[] = []
  let cursor: string | null = null
  for (let at = 0; at < mostPages; at += 1) {
    const query: Record<string, string> = {
      ...filter,
      limit: String(page),
      ...(cursor !== null && { cursor }),
    }
    const { entries, next } = await client.call(
      'GET /api/sessions/:session/work-log',
      { params: { session }, query },
      { signal },
    )
    for (const { message, toolCallId, interaction, seqs, start } of entries)
      places.push({
        messageId: message,
        part: `${message}/${toolCallId}`,
        kind: 'tool-input',
        snippet: '',
        ranges: [],
        seq: start?.seq ?? seqs[0] ?? 0,
        interaction,
      })
    cursor = next
    if (cursor === null) break
  }
  return places
}
