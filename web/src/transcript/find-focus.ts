import type { SessionState } from 'dragoman/client'
import type { FoundPlace } from '../search/find-loaded.ts'
import type { InteractionBook } from './interaction-facts.ts'
import type { Row } from './row.ts'
import { withSteps } from './step-rows.ts'

/** The target of an address. */
export interface Focus {
  readonly message?: string
  readonly interaction?: string
  /** The part of the message, as a search found it. */
  readonly place?: FoundPlace
}

/** The next step towards the target. */
export type Way =
  | { readonly to: 'row'; readonly row: Row }
  /** Subagents that must be opened first. */
  | { readonly to: 'threads'; readonly threads: readonly string[] }
  /** A run of steps that must be opened first. */
  | { readonly to: 'steps'; readonly run: string }
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
  const exact = focus.place === undefined ? null : rowOfPlace(withSteps(rows), focus.place)
  if (exact !== null) return wayTo(exact, rows)
  const message = focus.message ?? firstMessage(focus.interaction ?? null, state, book)
  const row = rows.find(each => message !== null && each.message === message)
  if (row !== undefined) return { to: 'row', row }
  const threads = message === null ? [] : threadsTo(message, rows, book)
  if (threads.length > 0) return { to: 'threads', threads }
  return { to: state.next === null ? 'nowhere' : 'older' }
}

/** The way to a row that is shown, or folded in a run of steps. */
function wayTo(row: Row, rows: readonly Row[]): Way {
  if (row.kind === 'subagent' && !row.open) return { to: 'threads', threads: [row.starts] }
  const run = rows.find(each => each.kind === 'steps' && !each.open && each.steps.some(step => step === row))
  return run === undefined ? { to: 'row', row } : { to: 'steps', run: run.key }
}

/** The row that shows a place that was found; null where it is not among these rows. */
export function rowOfPlace(rows: readonly Row[], place: FoundPlace): Row | null {
  const own = rows.filter(row => row.message === place.messageId)
  return (
    own.find(row => row.kind !== 'subagent' && shows(row, place)) ??
    own.find(row => shows(row, place)) ??
    null
  )
}

function shows(row: Row, { kind, part, messageId, snippet }: FoundPlace): boolean {
  if (row.kind === 'tool') return part === `${messageId}/${row.part.toolCallId}`
  if (row.kind === 'subagent') return part === `${messageId}/${row.starts}`
  if (row.kind === 'prompt') return kind === 'prompt'
  if (row.kind === 'thinking') return kind === 'thinking' && hasSnippet(row.text, snippet)
  return row.kind === 'text' && kind === 'answer' && hasSnippet(row.text, snippet)
}

/** The texts of a message have other names in the index than here, so what they say is compared. */
const hasSnippet = (text: string, snippet: string): boolean =>
  text.replaceAll(/[\r\n\t\v\f\u2028\u2029]/g, ' ').includes(snippet.replace(/^…/, '').replace(/…$/, ''))

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
