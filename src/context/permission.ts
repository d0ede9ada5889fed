import type { Actor, Mark, Proposal, Refusal } from '../protocol/manipulation.ts'
import { recentSteps } from './apply-ledger.ts'
import type { HistoryIndex, IndexedPart } from './history-index.ts'
import type { Ledger, Standing } from './ledger.ts'

/** The input for judging a proposal. */
export interface Ground {
  readonly index: HistoryIndex
  readonly ledger: Ledger
  /** The changes of parts since the ledger was made. */
  readonly since: ReadonlyMap<string, Since>
  /** The number of the request that comes next. */
  readonly step: number
  /** Whether an owner lets another change its pairs. */
  readonly consents: (owner: string, to: string) => boolean
}

/** The changes of a part since a ledger was made. */
export interface Since {
  readonly validity?: Mark
  readonly isDeleted?: boolean
  readonly isPinned?: boolean
}

/** Adds a change. */
export function sinceWith(since: Since | undefined, to: Mark): Since {
  if (to === 'deleted' || to === 'undeleted') return { ...since, isDeleted: to === 'deleted' }
  if (to === 'pinned' || to === 'unpinned') return { ...since, isPinned: to === 'pinned' }
  return { ...since, validity: to }
}

/** Whether a proposal is permitted, and for which parts: pairs are changed as a whole. */
export type Verdict =
  | { readonly isAllowed: true; readonly targets: readonly IndexedPart[] }
  | { readonly isAllowed: false; readonly code: Refusal; readonly why: string }

const refuse = (code: Refusal, why: string): Verdict => ({ isAllowed: false, code, why })

/** Judges a proposal as a whole: if one target may not be changed, nothing is. */
export function judge(ground: Ground, proposal: Proposal): Verdict {
  const { actor, parts } = proposal
  if (actor.kind === 'model')
    return refuse('model-may-only-propose', 'A model may propose a change, not make it.')
  if (parts.length === 0) return refuse('no-targets', 'It lists no parts.')
  const targets = new Map<string, IndexedPart>()
  for (const id of parts) {
    const target = ground.index.part(id)
    if (target === null) return refuse('unknown-part', `There is no part ${id} on this branch.`)
    for (const half of halvesOf(target)) targets.set(half.part.id, half)
  }
  for (const target of targets.values()) {
    const verdict = judgeTarget(ground, proposal, target)
    if (verdict !== null) return verdict
  }
  return { isAllowed: true, targets: [...targets.values()] }
}

function halvesOf(target: IndexedPart): readonly IndexedPart[] {
  const { pair } = target
  if (pair === null) return [target]
  return pair.result === null ? [pair.call] : [pair.call, pair.result]
}

function judgeTarget(ground: Ground, proposal: Proposal, target: IndexedPart): Verdict | null {
  const { actor, interactions } = proposal
  const { id } = target.part
  if (target.role === 'system') return refuse('instructions', 'Instructions cannot be changed.')
  if (!interactions.some(each => each === target.interaction))
    return refuse(
      'outside-interaction',
      `${id} belongs to interaction ${target.interaction}, which the change does not list.`,
    )
  const verdict = actor.kind === 'person' ? null : judgeReach(ground, proposal, target, actor)
  return verdict ?? judgeChange(ground, proposal, target)
}

/** The parts that tools and policies never change. */
function judgeReach(
  ground: Ground,
  { rendering }: Proposal,
  target: IndexedPart,
  actor: Actor,
): Verdict | null {
  const { part, pair, role } = target
  if (role === 'system') return refuse('persons-words', 'Instructions cannot be changed.')
  if (role === 'user' && part.kind !== 'result')
    return refuse('persons-words', 'Messages from a person cannot be changed.')
  if (actor.kind === 'tool' && !owns(ground, actor.owner, target))
    return refuse(
      'foreign-owner',
      `${part.id} does not belong to ${actor.owner}, and its owner did not agree.`,
    )
  if (isPinnedIn(ground, target)) return refuse('pinned', `${part.id} is pinned.`)
  if (pair !== null && pair.result === null)
    return refuse('no-result', `The call ${pair.pair.callId} has no result yet.`)
  const isNow = rendering.how === 'clear' && rendering.moment === 'now'
  if (isNow && target.step > ground.step - recentSteps)
    return refuse('recent', `${part.id} belongs to one of the last ${recentSteps} requests.`)
  return null
}

function owns({ consents }: Ground, owner: string, { pair }: IndexedPart): boolean {
  return pair !== null && (pair.pair.owner === owner || consents(pair.pair.owner, owner))
}

/** The state of a part in the ledger. */
export const standingOf = ({ ledger }: Ground, { part, interaction, name }: IndexedPart): Standing =>
  ledger.standingOf({ id: part.id, interaction, name })

/** Whether a part is pinned now. */
export const isPinnedIn = (ground: Ground, target: IndexedPart): boolean =>
  ground.since.get(target.part.id)?.isPinned ?? standingOf(ground, target).pinned?.to === 'pinned'

/** Whether a person's rollback protects a part from rules. */
export const isProtectedIn = (ground: Ground, target: IndexedPart): boolean =>
  !ground.since.has(target.part.id) && standingOf(ground, target).isProtected

/** What a part is now. */
export function markIn(ground: Ground, target: IndexedPart): Mark {
  const { validity, isDeleted } = ground.since.get(target.part.id) ?? {}
  const standing = standingOf(ground, target)
  if (isDeleted ?? standing.deleted?.to === 'deleted') return 'deleted'
  return validity ?? standing.validity?.to ?? 'active'
}

function judgeChange(ground: Ground, { actor, to }: Proposal, target: IndexedPart): Verdict | null {
  if (to === null) return null
  const isPinned = isPinnedIn(ground, target)
  if (isPinned && overruled.has(to)) return refuse('pinned', `${target.part.id} is pinned. Unpin it first.`)
  if (!isPinned && !isProtectedIn(ground, target) && to === 'unpinned')
    return refuse('not-allowed', `${target.part.id} is not pinned.`)
  const from = markIn(ground, target)
  const { from: before, who } = allowed[to]
  if (before.includes(from) && who.includes(actor.kind)) return null
  return refuse('not-allowed', `A ${actor.kind} may not make ${target.part.id} ${to}: it is ${from}.`)
}

interface Allowed {
  readonly from: readonly Mark[]
  readonly who: readonly Actor['kind'][]
}

const anyone = ['tool', 'policy', 'person'] as const
const counting = ['active', 'superseded', 'invalidated'] as const

/** The changes that have no effect on a pinned part. */
export const overruled: ReadonlySet<Mark> = new Set(['superseded', 'invalidated', 'archived'])

/** Which changes there are, and who may make them; there are no others. */
const allowed: Readonly<Record<Mark, Allowed>> = {
  superseded: { from: ['active'], who: anyone },
  invalidated: { from: ['active'], who: anyone },
  archived: { from: counting, who: ['policy', 'person'] },
  active: { from: ['superseded', 'invalidated', 'archived'], who: ['person'] },
  deleted: { from: [...counting, 'archived'], who: ['person'] },
  undeleted: { from: ['deleted'], who: ['person'] },
  pinned: { from: [...counting, 'archived', 'deleted'], who: ['tool', 'person'] },
  unpinned: { from: [...counting, 'archived', 'deleted'], who: ['tool', 'person'] },
}
