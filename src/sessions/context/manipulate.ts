import {
  carryOut,
  createBench,
  personsProposal,
  type Bench,
  type ManipulationEvent,
} from '../../context/index.ts'
import { refuse } from '../../context/manage.ts'
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

/** What each wish makes of a part. */
const marks: Readonly<Record<Change['do'], Mark>> = {
  pin: 'pinned',
  unpin: 'unpinned',
  archive: 'archived',
  invalidate: 'invalidated',
  restore: 'active',
  delete: 'deleted',
  undelete: 'undeleted',
}

/** Which parts of a whole a wish can be about: what is deleted already, or archived, stays as it is, and so does what is pinned. */
const fitting: Readonly<Record<Change['do'], (mark: Mark) => boolean>> = {
  pin: () => true,
  unpin: () => true,
  archive: mark => mark === 'active' || mark === 'superseded' || mark === 'invalidated',
  invalidate: mark => mark === 'active',
  restore: mark => mark === 'superseded' || mark === 'invalidated' || mark === 'archived',
  delete: mark => mark !== 'deleted',
  undelete: mark => mark === 'deleted',
}

/** Changes what counts, as a person wishes: all of it in one append, or nothing but the audit of what was refused. */
export async function manipulate(
  owned: OwnedSession,
  { changes, by = 'person' }: CommandOf<'manipulate'>,
): Promise<Reply<'manipulate'>> {
  return owned.write(async appender => {
    const found = await findTargets(owned, changes)
    const bench = await benchFor(owned, found)
    const errors = new Map<ManipulationEvent, ErrorCode>()
    for (const [index, change] of changes.entries())
      attempt(bench, change, found.aims[index] ?? nothing, by, errors)
    return save(owned, appender, bench.events, errors)
  })
}

const nothing: Aim = { parts: [], isWhole: false }

async function benchFor(owned: OwnedSession, { messages }: Found): Promise<Bench> {
  const { host, record } = owned
  const ledger = await readLedger(owned, {
    parts: messages.flatMap(({ message }) => message.parts.map(({ id }) => id)),
    interactions: [...new Set(messages.map(({ interaction }) => interaction))],
  })
  const { session, summary } = { session: record.session, ...record.state }
  return createBench(
    { session, system: [], messages, ledger },
    {
      strategies: host.strategies.strategies,
      // What is recent counts for tools and policies only.
      step: Math.max(0, ...messages.map(({ step }) => step)) + 1,
      effective: effectivenessFor(host.agents.get(summary.agent)),
      newId: host.newId,
    },
  )
}

function attempt(
  bench: Bench,
  change: Change,
  aim: Aim,
  person: string,
  errors: Map<ManipulationEvent, ErrorCode>,
): void {
  const { reason = `you chose to ${change.do} it` } = change
  const wish = { person, to: marks[change.do], reason }
  if ('error' in aim) {
    const proposal = personsProposal(bench.index, { ...wish, parts: [] })
    refuse(bench, { ...proposal, interactions: interactionsOf(change) }, aim.code, aim.why)
    const [event] = bench.events.slice(-1)
    if (event !== undefined) errors.set(event, aim.error)
    return
  }
  carryOut(bench, proposalOf(bench, change, aim, wish))
}

const interactionsOf = ({ interaction }: Change) =>
  interaction === undefined ? [] : [interaction as InteractionId]

function proposalOf(
  bench: Bench,
  change: Change,
  { parts, isWhole }: Extract<Aim, { readonly isWhole: boolean }>,
  wish: { readonly person: string; readonly to: Mark; readonly reason: string },
): Proposal {
  const fits = parts.filter(id => {
    const part = bench.index.part(id)
    if (part === null || !fitting[change.do](markIn(bench.ground, part))) return false
    const isPinned = isPinnedIn(bench.ground, part)
    if (isPinned) return !overruled.has(wish.to)
    return wish.to !== 'unpinned' || isProtectedIn(bench.ground, part)
  })
  // Where none fits, the gate says why not.
  const proposal = personsProposal(bench.index, { ...wish, parts: isWhole && fits.length > 0 ? fits : parts })
  return change.interaction === undefined ? proposal : { ...proposal, whole: true }
}

async function save(
  { record }: OwnedSession,
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
  return { manipulations, seq: entries.at(-1)?.seq ?? record.state.summary.seq }
}
