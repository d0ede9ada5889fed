import type { ProviderMetadata, Thread, ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type Answerer, type Event, type EventOf } from '../protocol/event.ts'
import type { ApprovalId, InteractionId } from '../protocol/ids.ts'
import type { Json } from '../protocol/json.ts'
import type { OpenParts } from '../protocol/open-parts.ts'
import { ruleOffer, type RuleOffer, type RuleScope } from '../protocol/rule-scope.ts'
import { endsCall } from './call-end.ts'
import { createFold, type Fold } from './fold.ts'
import { momentOf, type Moment } from './moment.ts'
import { questions, questionsAfter, type PendingApproval } from './questions.ts'
import type { StoredMessage } from './stored-message.ts'

/** A question of the agent and its one answer. */
export interface Approval {
  readonly id: ApprovalId
  readonly status: 'pending' | 'granted' | 'denied' | 'lapsed'
  readonly toolCallId: string
  readonly tool: string
  /** The input that the agent asked about. */
  readonly input: Json
  /** What the agent reported as the input of the same call before it asked, where that was another one. */
  readonly earlierInput?: Json
  /** What "always" would cover; null when no rule can be made, and `ruleReason` says why. */
  readonly rule: RuleScope | null
  readonly ruleReason: string | null
  readonly thread: Thread
  readonly interaction: InteractionId | null
  readonly requested: Moment
  /** When it was answered or lapsed. */
  readonly settled: Moment | null
  /** Who answered; null while it is pending and when it lapsed. */
  readonly by: Answerer | null
  readonly reason: string | null
  /** The input to run with instead of the one that was asked about. */
  readonly changedInput?: Json
  readonly always: boolean
  /** The request was copied from another session: its times are those of the copy. */
  readonly copied?: true
}

interface Known {
  readonly approvals: Map<string, Approval>
  pending: readonly PendingApproval[]
  /** The calls that have not ended, by thread and call: what a question may be about. */
  readonly calls: Map<string, KnownCall>
}

interface KnownCall {
  readonly tool: string
  readonly input: Json
  readonly earlierInput?: Json
  readonly offer: RuleOffer | null
}

/** Those of some approvals that are pending. */
export const pendingIn = (approvals: readonly Approval[]): readonly PendingApproval[] =>
  approvals
    .filter(isPending)
    .map(({ id: approval, toolCallId, thread }) => ({ approval, toolCallId, thread }))

const isPending = ({ status }: Approval) => status === 'pending'

/** What a fold of approvals takes from a snapshot. */
interface ApprovalsSeed {
  readonly approvals: readonly Approval[]
  readonly messages: readonly StoredMessage[]
  readonly continuation: { readonly open: OpenParts }
}

/** Folds entries into every approval that was ever asked for, in order; from a snapshot on, into those it has and later ones. */
export function createApprovals(seed?: ApprovalsSeed): Fold<readonly Approval[]> {
  const known: Known = {
    approvals: new Map(seed?.approvals.map(each => [each.id, each])),
    pending: pendingIn(seed?.approvals ?? []),
    calls: callsIn(seed),
  }
  return createFold(
    entry => take(known, entry),
    () => [...known.approvals.values()],
  )
}

function take(known: Known, entry: Entry): boolean {
  const { event } = entry
  const chunks = chunksOf(event)
  let changed = event.type === 'approval-answered' && answer(known, entry, event)
  for (const each of chunks) if (takeChunk(known, entry, each)) changed = true
  if (lapseAll(known, entry, chunks)) changed = true
  if (event.type === 'session-branched') return markCopied(known, () => true) || changed
  if (event.type !== 'interactions-merged') return changed
  const merged: ReadonlySet<string | null> = new Set(event.interactions)
  return markCopied(known, ({ interaction }) => merged.has(interaction)) || changed
}

function takeChunk(known: Known, entry: Entry, { thread, chunk }: ThreadChunk): boolean {
  if (chunk.type === 'tool-approval-request') return ask(known, entry, thread, chunk)
  if (chunk.type === 'tool-input-available') {
    const { toolName: tool, input, providerMetadata } = chunk
    const earlier = earlierIn(providerMetadata)
    known.calls.set(keyOf(thread, chunk.toolCallId), { tool, input, ...earlier, offer: ruleOffer(chunk) })
  } else if (endsCall(chunk)) known.calls.delete(keyOf(thread, chunk.toolCallId))
  return false
}

/** Whatever is no longer pending after an entry, and was not answered, has lapsed. */
function lapseAll(known: Known, entry: Entry, chunks: readonly ThreadChunk[]): boolean {
  const { pending, lapsed } = questionsAfter(known.pending, chunks)
  known.pending = questions.apply(known.pending, entry)
  const isLeft = ({ approval }: PendingApproval) => known.pending.some(each => each.approval === approval)
  const isChanged = lapse(known, entry, 'The agent continued without an answer.', lapsed)
  const over = pending.filter(each => !isLeft(each))
  return lapse(known, entry, reasonIn(entry.event), over) || isChanged
}

function reasonIn(event: Event): string {
  const reason = event.type === 'approval-lapsed' || event.type === 'interaction-ended' ? event.reason : null
  return reason ?? 'The interaction ended before this was answered.'
}

function earlierIn(metadata: ProviderMetadata | undefined): { readonly earlierInput?: Json } {
  const earlierInput = metadata?.['dragoman']?.['earlierInput']
  return earlierInput === undefined ? {} : { earlierInput }
}

/** The calls without a result. The input is null for a call whose message is not in the snapshot. */
function callsIn(seed: ApprovalsSeed | undefined): Map<string, KnownCall> {
  const calls = new Map<string, KnownCall>()
  for (const { thread, calls: open } of seed?.continuation.open.messages ?? [])
    for (const { toolCallId, toolName: tool, offer } of open)
      calls.set(keyOf(thread, toolCallId), { tool, input: null, offer })
  for (const message of seed?.messages ?? [])
    for (const [key, call] of waitingCalls(message))
      calls.set(key, { ...call, offer: calls.get(key)?.offer ?? null })
  return calls
}

function waitingCalls({ thread, message: { parts } }: StoredMessage) {
  return parts.flatMap(part => {
    if (part.type !== 'dynamic-tool' || part.state === 'input-streaming') return []
    const isOver = part.state.startsWith('output-') && !('preliminary' in part && part.preliminary)
    const { toolName: tool, input = null } = part
    const call = { tool, input, ...earlierIn(part.callProviderMetadata) }
    return isOver ? [] : [[keyOf(thread, part.toolCallId), call] as const]
  })
}

const keyOf = (thread: Thread, toolCallId: string) => `${thread ?? ''} ${toolCallId}`

function ask(
  known: Known,
  entry: Entry,
  thread: Thread,
  { approvalId, toolCallId }: { readonly approvalId: string; readonly toolCallId: string },
): boolean {
  const before = known.approvals.get(approvalId)
  // A question asked again, as after a resume, keeps its answer.
  if (before?.toolCallId === toolCallId && before.thread === thread) return false
  const call = known.calls.get(keyOf(thread, toolCallId)) ?? { tool: '', input: null, offer: null }
  const { offer, ...about } = call
  const interaction = 'interaction' in entry.event ? entry.event.interaction : null
  const id = approvalId as ApprovalId
  const asked = { id, toolCallId, ...about, ...(offer ?? unknownOffer) }
  known.approvals.set(id, { ...asked, thread, interaction, requested: momentOf(entry), ...unanswered })
  return true
}

const unknownOffer = { rule: null, ruleReason: 'The input of this call is unknown.' } as const
const unanswered = { status: 'pending', settled: null, by: null, reason: null, always: false } as const

/** The first answer counts. */
function answer(known: Known, entry: Entry, event: EventOf<'approval-answered'>): boolean {
  const before = known.approvals.get(event.approval)
  if (before === undefined || before.status === 'granted' || before.status === 'denied') return false
  const { approved, reason, input, always, by = 'person' } = event
  known.approvals.set(before.id, {
    ...before,
    status: approved ? 'granted' : 'denied',
    settled: momentOf(entry),
    by,
    reason,
    ...(input !== undefined && { changedInput: input }),
    always,
  })
  return true
}

function markCopied({ approvals }: Known, which: (approval: Approval) => boolean): boolean {
  const copies = [...approvals.values()].filter(each => each.copied !== true && which(each))
  for (const each of copies) approvals.set(each.id, { ...each, copied: true })
  return copies.length > 0
}

function lapse(
  { approvals }: Known,
  entry: Entry,
  reason: string,
  which: readonly PendingApproval[],
): boolean {
  const over = which.flatMap(each => approvals.get(each.approval) ?? []).filter(isPending)
  for (const each of over)
    approvals.set(each.id, { ...each, status: 'lapsed', settled: momentOf(entry), reason })
  return over.length > 0
}
