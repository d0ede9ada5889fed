import type { InteractionId } from '../protocol/ids.ts'
import type { Mark, Proposal, Rendering } from '../protocol/manipulation.ts'
import type { HistoryIndex } from './history-index.ts'

/** A change by a person: some parts pinned, deleted, restored or invalidated. */
export interface PersonsWish {
  readonly person: string
  readonly parts: readonly string[]
  readonly to: Mark
  readonly reason: string
}

/** A person's change as a proposal, with the interactions of its parts. */
export function personsProposal(index: HistoryIndex, { person, parts, to, reason }: PersonsWish): Proposal {
  const interactions = parts.flatMap(part => index.part(part)?.interaction ?? [])
  return {
    actor: { kind: 'person', name: person },
    strategy: strategies[to],
    interactions: [...new Set(interactions)] as InteractionId[],
    parts,
    to,
    rendering: renderings[to],
    reason,
    trigger: null,
    replacedBy: null,
    causedBy: null,
  }
}

const shown: Rendering = { how: 'keep', moment: 'now' }
const gone: Rendering = { how: 'clear', what: 'both', moment: 'now' }

const renderings: Readonly<Record<Mark, Rendering>> = {
  active: shown,
  superseded: gone,
  invalidated: gone,
  archived: gone,
  deleted: gone,
  undeleted: shown,
  pinned: shown,
  unpinned: shown,
}

const strategies: Readonly<Record<Mark, string>> = {
  active: 'restore',
  superseded: 'supersede',
  invalidated: 'invalidate',
  archived: 'archive',
  deleted: 'delete',
  undeleted: 'undelete',
  pinned: 'pin',
  unpinned: 'unpin',
}
