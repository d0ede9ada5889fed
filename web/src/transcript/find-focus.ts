import type { SessionState } from 'dragoman/client'
import type { InteractionBook } from './interaction-facts.ts'
import type { Row } from './row.ts'

/** The target of an address. */
export interface Focus {
  readonly message?: string
  readonly interaction?: string
}

/** The next step towards the target. */
export type Way =
  | { readonly to: 'row'; readonly row: Row }
  /** Subagents that must be opened first. */
  | { readonly to: 'threads'; readonly threads: readonly string[] }
  | { readonly to: 'older' }
  | { readonly to: 'nowhere' }

/** The data to search. */
export interface Places {
  readonly rows: readonly Row[]
  readonly state: Pick<SessionState, 'view' | 'next'>
  readonly book: InteractionBook
}

/** The way to what an address names, one step at a time. */
export function findWay(focus: Focus, { rows, state, book }: Places): Way {
  const message = focus.message ?? firstMessage(focus.interaction ?? null, state, book)
  const row = rows.find(each => message !== null && each.message === message)
  if (row !== undefined) return { to: 'row', row }
  const threads = message === null ? [] : threadsTo(message, rows, book)
  if (threads.length > 0) return { to: 'threads', threads }
  return { to: state.next === null ? 'nowhere' : 'older' }
}

function firstMessage(
  interaction: string | null,
  { view }: Places['state'],
  { homes }: InteractionBook,
): string | null {
  if (interaction === null) return null
  const shown = view.messages.get(null)?.find(each => each.interaction === interaction)
  if (shown !== undefined) return shown.message.id
  for (const [message, home] of homes)
    if (home.interaction === interaction && home.thread === null) return message
  return null
}

/** The closed subagents in which a message may be: its own, or all of its interaction, of which one may have started its own. */
function threadsTo(message: string, rows: readonly Row[], { homes }: InteractionBook): readonly string[] {
  const home = homes.get(message)
  if (home === undefined || home.thread === null) return []
  const closed = rows.filter(row => row.kind === 'subagent' && !row.open)
  const own = closed.find(row => row.kind === 'subagent' && row.starts === home.thread)
  const near =
    own === undefined
      ? closed.filter(row => homes.get(row.message ?? '')?.interaction === home.interaction)
      : [own]
  return near.flatMap(row => (row.kind === 'subagent' ? [row.starts] : []))
}
