import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { MessageRow } from '../../catalogue/change.ts'
import type { InteractionFilter, InteractionPage } from '../../catalogue/list-interactions.ts'
import type { ManipulationFilter, ManipulationPage } from '../../catalogue/list-manipulations.ts'
import type { MessageFilter } from '../../catalogue/list-messages.ts'
import type { WorkFilter, WorkPage } from '../../catalogue/list-work.ts'
import { readAllApprovals, readApprovals } from '../../catalogue/read-approvals.ts'
import { readEntries } from '../../catalogue/read-entries.ts'
import { readMessages, type MessagesRead } from '../../catalogue/read-messages.ts'
import { readSnapshot } from '../../catalogue/read-snapshot.ts'
import type { Approval } from '../../projections/approvals.ts'
import type { QueuedPrompt } from '../../projections/queue.ts'
import type { Rule } from '../../projections/rules.ts'
import type { SnapshotSeed } from '../../projections/snapshot-seed.ts'
import type { SessionSummary } from '../../projections/summary.ts'
import { createThinking, type Thought } from '../../projections/thinking.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { InteractionId, SessionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { optionsOf } from './session-agent.ts'
import type { SessionView, Trouble } from './session-view.ts'

/** How a session is read. */
export interface Reading {
  /** Includes deleted sessions. */
  readonly deleted?: boolean
}

/** A session as it is now. */
export interface SessionDetails extends SessionSummary {
  /** What its agent is started with. */
  readonly options: Json
  readonly queue: readonly (QueuedPrompt & { readonly held: boolean })[]
  /** Why its events cannot be saved at the moment. */
  readonly trouble: Trouble | null
}

/** Which messages to read. */
export interface MessagesFilter extends MessageFilter {
  /** The state at the start of the running interaction: with its prompt, without its answer. */
  readonly excludeRunning?: boolean
}

/** Approvals with their answers, and the current rules. */
export interface Approvals {
  readonly approvals: readonly Approval[]
  readonly rules: readonly Rule[]
}

/** A session as of one entry. `next` is the `before` of the next older page of messages. */
export interface Snapshot extends SnapshotSeed {
  readonly session: SessionDetails
  readonly next: number | null
}

/** The current details of a session. `held` prompts wait for `continue`. */
export const detailsOf = async (view: SessionView): Promise<SessionDetails> =>
  detailsWith(view, await optionsOf(view))

function detailsWith({ record, held, trouble }: SessionView, options: Json): SessionDetails {
  const { summary, queue } = record.state
  return {
    ...summary,
    options,
    queue: queue.map(each => ({ ...each, held: held.has(each.prompt) })),
    trouble,
  }
}

/** The approvals of a session, the current ones or all, and its rules. */
export async function approvalsOf(
  { host, record: { state } }: SessionView,
  all: boolean,
): Promise<Approvals> {
  const read = all ? readAllApprovals : readApprovals
  return { approvals: await read(host.journal, state), rules: state.rules }
}

/** Messages of a thread, up to what is saved now. */
export async function messagesOf(
  { host, record }: SessionView,
  { excludeRunning = false, ...filter }: MessagesFilter,
): Promise<MessagesRead> {
  const { seq, running } = record.state.summary
  await record.settled()
  return readMessages(host, record.session, filter, excludeRunning ? (running?.seq ?? seq) : seq)
}

/** A page of the catalogue, and the entry that it is complete up to. */
export type AsOf<Page> = Page & { readonly asOf: number }

/** Interactions, up to what is saved now. */
export async function interactionsOf(
  { host, record }: SessionView,
  filter: InteractionFilter,
): Promise<AsOf<InteractionPage>> {
  const asOf = record.state.summary.seq
  await record.settled()
  return { ...(await host.catalogue.interactions(record.session, filter)), asOf }
}

/** Lines of the work log, up to what is saved now. */
export async function workLogOf({ host, record }: SessionView, filter: WorkFilter): Promise<AsOf<WorkPage>> {
  const asOf = record.state.summary.seq
  await record.settled()
  return { ...(await host.catalogue.work(record.session, filter)), asOf }
}

/** When the agent was thinking in an interaction, up to what is saved now. */
export async function thinkingOf(
  { host, record }: SessionView,
  interaction: InteractionId,
): Promise<AsOf<{ readonly thoughts: readonly Thought[] }>> {
  const { session, state } = record
  const asOf = state.summary.seq
  await record.settled()
  const rows = await rowsOf(host.catalogue, session, interaction)
  const first = Math.min(...rows.map(({ firstSeq }) => firstSeq))
  const last = Math.min(asOf, Math.max(...rows.map(({ lastSeq }) => lastSeq ?? asOf)))
  const thinking = createThinking()
  for await (const entry of readEntries(host.journal, session, first, last))
    if ('interaction' in entry.event && entry.event.interaction === interaction) thinking.apply(entry)
  return { thoughts: thinking.view(), asOf }
}

/** The messages of an interaction; throws when there is no such interaction. */
export async function rowsOf(
  catalogue: Catalogue,
  session: SessionId,
  interaction: InteractionId,
): Promise<readonly MessageRow[]> {
  const rows = await catalogue.messagesOf(session, interaction)
  if (rows.length > 0) return rows
  throw new DragomanError('unknown-interaction', `Session ${session} has no interaction ${interaction}.`)
}

/** The audit of context changes, up to what is saved now. */
export async function manipulationsOf(
  { host, record }: SessionView,
  filter: ManipulationFilter,
): Promise<AsOf<ManipulationPage>> {
  const asOf = record.state.summary.seq
  await record.settled()
  return { ...(await host.catalogue.manipulations(record.session, filter)), asOf }
}

/** All that a client needs to show a session and to follow it from there. */
export async function snapshotOf(view: SessionView, limit: number): Promise<Snapshot> {
  const options = await optionsOf(view)
  const { state } = view.record
  const session = detailsWith(view, options)
  await view.record.settled()
  return { session, ...(await readSnapshot(view.host, state, limit)) }
}
