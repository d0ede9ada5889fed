import { DragomanError } from '../../protocol/error.ts'
import { definedIn } from '../../protocol/json.ts'
import type { Handlers } from './handler.ts'

const usualHits = 20

/** The search over all sessions. */
export const search: Handlers<'search'> = {
  async search({ search: index }, { query }) {
    const { q = '', cursor, limit = usualHits, ...filters } = query
    if (index === undefined)
      throw new DragomanError(
        'unknown-path',
        'This server has no search. Pass a store with a search, such as that of openStore in "dragoman/sqlite".',
      )
    return index.find({
      query: q,
      filters: definedIn(filters),
      limit,
      ...(cursor !== undefined && { cursor }),
    })
  },
}
