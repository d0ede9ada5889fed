import type { MessageRow } from '../../catalogue/change.ts'
import type { HistoryMessage } from '../../context/index.ts'
import type { CommandOf } from '../../protocol/command.ts'
import type { ErrorCode } from '../../protocol/error.ts'
import type { Refusal } from '../../protocol/manipulation.ts'
import type { SessionView } from '../view/session-view.ts'
import { findInConversation, messageOfPart, readPlaced, wholeName } from './read-parts.ts'

/** One change that a person wants. */
export type Change = CommandOf<'manipulate'>['changes'][number]

/** The target of a change. */
export type Aim =
  /** `isWhole`: a message or an interaction, so the change is for those of its parts that can be changed this way. */
  | { readonly parts: readonly string[]; readonly isWhole: boolean }
  | { readonly code: Refusal; readonly error: ErrorCode; readonly why: string }

/** The targets of changes, and the messages that have them. Nothing else is read. */
export interface Found {
  readonly aims: readonly Aim[]
  readonly messages: readonly HistoryMessage[]
}

/** Finds the targets of some changes. */
export async function findTargets(view: SessionView, changes: readonly Change[]): Promise<Found> {
  await view.record.settled()
  const placed = new Map<string, readonly HistoryMessage[]>()
  const read = async (row: MessageRow) => {
    const known = placed.get(row.id) ?? (await readPlaced(view, row))
    placed.set(row.id, known)
    return known
  }
  const aims: Aim[] = []
  for (const change of changes) aims.push(await aimOf(view, change, read))
  return { aims, messages: [...placed.values()].flat() }
}

/** Throws for a target that still grows: a change would cover only a part of it. */
const leavesOut: ReadonlySet<Change['do']> = new Set(['archive', 'invalidate', 'delete'])

const stillRuns = (interaction: string): Aim => ({
  code: 'not-allowed',
  error: 'change-refused',
  why: `The interaction ${interaction} is still running. Stop it, or wait until it ends.`,
})

type Read = (row: MessageRow) => Promise<readonly HistoryMessage[]>

async function aimOf(view: SessionView, change: Change, read: Read): Promise<Aim> {
  if (change.parts !== undefined) return aimAtParts(view, change.parts, read)
  const rows = await rowsOf(view, change)
  if (!Array.isArray(rows)) return rows as Aim
  const messages = await Promise.all((rows as readonly MessageRow[]).map(read))
  const parts = messages.flat().flatMap(({ message }) => message.parts.map(({ id }) => id))
  return { parts, isWhole: true }
}

/** Unknown parts are passed on, and refused later with a reason. */
async function aimAtParts(view: SessionView, names: readonly string[], read: Read): Promise<Aim> {
  const parts = await Promise.all(names.map(name => wholeName(view, name)))
  for (const part of parts) {
    const row = await messageOfPart(view, part)
    if (row !== null) await read(row)
  }
  return { parts, isWhole: false }
}

async function rowsOf(
  view: SessionView,
  { do: wish, message, interaction }: Change,
): Promise<readonly MessageRow[] | Aim> {
  const { host, record } = view
  const running = record.state.summary.running?.interaction ?? null
  const isTooSoon = (of: string) => of === running && leavesOut.has(wish)
  if (message !== undefined) {
    const row = await findInConversation(view, message)
    const why = `The conversation of session ${record.session} has no message ${message}.`
    if (row === null) return { code: 'unknown-part', error: 'unknown-message', why }
    return isTooSoon(row.interaction) ? stillRuns(row.interaction) : [row]
  }
  if (interaction !== undefined && isTooSoon(interaction)) return stillRuns(interaction)
  const all = await host.catalogue.messagesOf(record.session, interaction ?? '')
  const rows = all.filter(({ thread, replacedBy }) => thread === null && replacedBy === null)
  const why = `The conversation of session ${record.session} has no interaction ${interaction}.`
  return rows.length === 0 ? { code: 'outside-interaction', error: 'unknown-interaction', why } : rows
}
