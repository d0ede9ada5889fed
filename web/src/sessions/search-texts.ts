import type { Client } from 'dragoman/client'

/** What the search field asks for. */
interface Asked {
  readonly q: string
  readonly agent: string | null
  readonly folder: string | null
}

/** Searches the texts of all sessions. */
export const searchTexts = (client: Client, { q, agent, folder }: Asked, signal: AbortSignal) =>
  client.call(
    'GET /api/search',
    { query: { q, ...(agent !== null && { agent }), ...(folder !== null && { folder }) } },
    { signal },
  )

/** A place that was found. */
export type Hit = Awaited<ReturnType<typeof searchTexts>>['hits'][number]
