import {
  makeChange,
  createChangeBatch,
  personsProposal,
  type ChangeBatch,
  type ManipulationEvent,
} from '../../context/index.ts'
import { refuse } from '../../context/change-batch.ts'
import { isPinnedIn, isProtectedIn, markIn, overruled } from '../../context/permission.ts'
import type { CommandOf } from '../../protocol/command.ts'
import { DragomanError, type ErrorCode } from '../../protocol/error.ts'
import type { InteractionId } from '../../protocol/ids.ts'
import type { Mark, Proposal } from '../../protocol/manipulation.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import type { Appender } from '../own/session-writer.ts'
import type { Reply } from '../commands/reply.ts'
import { effectivenessFor } from './effectiveness.ts'
import { findTargets, type Aim, type Change, type Found } from './find-targets.ts'
import { readLedger } from './read-ledger.ts'

/** The validity that each change gives a part. */
const marks: Readonly<Record<Change['do'], Mark>> = {
  pin: 'pinned',
  unpin: 'unpinned',
  archive: 'archived',
  invalidate: 'invalidated',
  restore: 'active',
  delete: 'deleted',
  undelete: 'undeleted',
}

/** Which parts of a whole a change covers. Parts that are already deleted, archived or pinned stay as they are. */
const fitting: Readonly<Record<Change['do'], (mark: Mark) => boolean>> = {
  pin: () => true,
  unpin: () => true,
  archive: mark => mark === 'active' || mark === 'superseded' || mark === 'invalidated',
  invalidate: mark => mark === 'active',
  restore: mark => mark === 'superseded' || mark === 'invalidated' || mark === 'archived',
  delete: mark => mark !== 'deleted',
  undelete: mark => mark === 'deleted',
}

/** Makes context changes for a person: all of them in one append, or only the audit of the refusal. */
export async function manipulate(
  owned: OwnedSession,
  { changes, by = 'person' }: CommandOf<'manipulate'>,
): Promise<Reply<'manipulate'>> {
  return owned.write(async appender => {
    const found = await findTargets(owned, changes)
    const batch = await changeBatchFor(owned, found)
    const errors = new Map<ManipulationEvent, ErrorCode>()
    for (const [index, change] of changes.entries())
      attempt(batch, change, found.aims[index] ?? nothing, by, errors)
    return save(owned, appender, batch.events, errors)
  })
}

const nothing: Aim = { parts: [], isWhole: false }

async function changeBatchFor(owned: OwnedSession, { messages }: Found): Promise<ChangeBatch> {
  const { host, writer } = owned
  const ledger = await readLedger(owned, {
    parts: messages.flatMap(({ message }) => message.parts.map(({ id }) => id)),
    interactions: [...new Set(messages.map(({ interaction }) => interaction))],
  })
  const { session, summary } = { session: writer.session, ...writer.state }
  return createChangeBatch(
    { session, system: [], messages, ledger },
    {
      strategies: host.strategies.strategies,
      // Only tools and policies are limited by how recent a part is.
      step: Math.max(0, ...messages.map(({ step }) => step)) + 1,
      effective: effectivenessFor(host.agents.get(summary.agent)),
      newId: host.newId,
    },
  )
}

function attempt(
  batch: ChangeBatch,
  change: Change,
  aim: Aim,
  person: string,
  errors: Map<ManipulationEvent, ErrorCode>,
): void {
  const { reason = `you chose to ${change.do} it` } = change
  const wish = { person, to: marks[change.do], reason }
  if ('error' in aim) {
    const proposal = personsProposal(batch.index, { ...wish, parts: [] })
    refuse(batch, { ...proposal, interactions: interactionsOf(change) }, aim.code, aim.why)
    const [event] = batch.events.slice(-1)
    if (event !== undefined) errors.set(event, aim.error)
    return
  }
  makeChange(batch, proposalOf(batch, change, aim, wish))
}

const interactionsOf = ({ interaction }: Change) =>
  interaction === undefined ? [] : [interaction as InteractionId]

function proposalOf(
  batch: ChangeBatch,
  change: Change,
  { parts, isWhole }: Extract<Aim, { readonly isWhole: boolean }>,
  wish: { readonly person: string; readonly to: Mark; readonly reason: string },
): Proposal {
  const fits = parts.filter(id => {
    const part = batch.index.part(id)
    if (part === null || !fitting[change.do](markIn(batch.ground, part))) return false
    const isPinned = isPinnedIn(batch.ground, part)
    if (isPinned) return !overruled.has(wish.to)
    return wish.to !== 'unpinned' || isProtectedIn(batch.ground, part)
  })
  // When none fits, the permission check gives the reason.
  const proposal = personsProposal(batch.index, { ...wish, parts: isWhole && fits.length > 0 ? fits : parts })
  return change.interaction === undefined ? proposal : { ...proposal, whole: true }
}

async function save(
  { writer }: OwnedSession,
  appender: Appender,
  events: readonly ManipulationEvent[],
  errors: ReadonlyMap<ManipulationEvent, ErrorCode>,
): Promise<Reply<'manipulate'>> {
  const refused = events.filter(event => event.type === 'manipulation-rejected' && event.causedBy === null)
  const [first] = refused
  if (first?.type === 'manipulation-rejected') {
    await appender.append(refused)
    const usual = first.code === 'unknown-part' ? 'unknown-part' : 'change-refused'
    throw new DragomanError(errors.get(first) ?? usual, first.why, { refusal: first.code })
  }
  const entries = await appender.append(events)
  const manipulations = events.flatMap(event =>
    event.type === 'manipulation-applied' ? [event.manipulation] : [],
  )
  return { manipulations, seq: entries.at(-1)?.seq ?? writer.state.summary.seq }
}
