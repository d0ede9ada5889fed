import type { Client } from 'dragoman/client'

/** What is searched for, and where. */
interface Asked {
  readonly q: string
  readonly agent?: string | null
  readonly folder?: string | null
  readonly session?: string
  readonly cursor?: string
  readonly limit?: number
}

/** Shorter searches would find nearly everything. */
export const shortestQuery = 2

/** Searches the texts of all sessions, or of one. */
export const searchTexts = (
  client: Client,
  { q, agent = null, folder = null, session, cursor, limit }: Asked,
  signal: AbortSignal,
) =>
  client.call(
    'GET /api/search',
    {
      query: {
        q,
        ...(agent !== null && { agent }),
        ...(folder !== null && { folder }),
        ...(session !== undefined && { session }),
        ...(cursor !== undefined && { cursor }),
        ...(limit !== undefined && { limit: String(limit) }),
      },
    },
    { signal },
  )

/** A place that was found. */
export type Hit = Awaited<ReturnType<typeof searchTexts>>['hits'][number]

/** The names of the kinds of texts. */
export const hitKinds: Readonly<Record<Hit['kind'], string>> = {
  prompt: 'Prompt',
  answer: 'Answer',
  thinking: 'Thinking',
  'tool-input': 'Tool input',
  'tool-output': 'Tool output',
  title: 'Title',
}

/** The address of a place that was found: its message, the query, and the part, so that it is shown and marked. */
export const placeOfHit = ({ session, messageId, part }: Hit, query: string) => ({
  page: 'session' as const,
  session,
  ...(messageId !== null && {
    message: messageId,
    found: { query, ...(part !== null && { part }) },
  }),
})
