import type { SessionFilter } from 'dragoman/client'
import type { SessionFace } from '../session-summary/session-face.ts'

/** A search in the session list. */
export interface SessionSearch {
  readonly words: string
  /** Null: any. */
  readonly agent: string | null
  readonly folder: string | null
  /** Whether archived or deleted sessions are searched; null for neither. */
  readonly away: 'archived' | 'deleted' | null
}

/** All sessions that are neither archived nor deleted. */
export const everything: SessionSearch = { words: '', agent: null, folder: null, away: null }

/** The query for the server. It can't filter by folder, but finds its name; `fits` then keeps only that folder. */
export function filterOf({ words, agent, folder, away }: SessionSearch): SessionFilter {
  const query = words.trim() === '' ? folder : words.trim()
  return {
    ...(query !== null && { query: query.slice(0, 1000) }),
    ...(agent !== null && { agent }),
    ...(away !== null && { [away]: '1' as const }),
  }
}

/** Whether a session is in the folder that was chosen. */
export const fits = ({ folder }: SessionSearch, { cwd }: SessionFace): boolean =>
  folder === null || cwd === folder

/** How many filters are active, besides the search text. */
export const narrowings = ({ agent, folder, away }: SessionSearch): number =>
  Number(agent !== null) + Number(folder !== null) + Number(away !== null)

/** Whether a filter is set. */
export const isNarrowed = (search: SessionSearch): boolean =>
  search.words.trim() !== '' || narrowings(search) > 0
