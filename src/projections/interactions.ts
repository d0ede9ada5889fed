import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type EventOf, type Outcome, type Trigger, type Validity } from '../protocol/event.ts'
import type { InteractionId, PromptId } from '../protocol/ids.ts'
import { createFold, type Fold } from './fold.ts'
import type { Moment } from './moment.ts'
import { userMessage } from './user-message.ts'
import {
  createLedger,
  decisiveOfAll,
  recordChange,
  type ValidityChange,
  type ValidityLedger,
} from './validity.ts'

/** One prompt, or other cause, and all that followed until the agent was done. */
export interface Interaction {
  readonly id: InteractionId
  readonly trigger: Trigger
  readonly agent: string
  readonly prompt: PromptId | null
  readonly start: Moment
  readonly stop: Moment | null
  readonly state: 'open' | 'closed' | 'aborted'
  readonly outcome: Outcome | null
  /** Why it ended as it did, in words for people, unless it simply finished. */
  readonly reason: string | null
  /** Its messages in all threads, in the order in which they began. */
  readonly messages: readonly string[]
  readonly validity: InteractionValidity
}

/** Whether an interaction is still valid, and the changes that decided it. */
export interface InteractionValidity {
  readonly state: Validity
  /** The change that decides; null when nothing was ever changed. */
  readonly change: ValidityChange | null
  /** The last change that named each part. */
  readonly parts: ReadonlyMap<string, ValidityChange>
  /** Every change, the oldest first: the audit trail. */
  readonly history: readonly ValidityChange[]
}

/** An interaction while it is written. */
interface Draft {
  facts: Omit<Interaction, 'messages' | 'validity'>
  readonly messages: string[]
  readonly ledger: ValidityLedger
  made: Interaction | null
}

/** Folds entries into the list of interactions, in the order in which they began. */
export function createInteractions(): Fold<readonly Interaction[]> {
  const drafts = new Map<InteractionId, Draft>()
  const messages = new Set<string>()
  return createFold(
    entry => {
      const changed = takeEvent(drafts, entry)
      return addMessages(drafts, messages, entry) || changed
    },
    () => Array.from(drafts.values(), make),
  )
}

function takeEvent(drafts: Map<InteractionId, Draft>, entry: Entry): boolean {
  const { event } = entry
  if (event.type === 'interaction-started') {
    drafts.set(event.interaction, begin(entry, event))
    return true
  }
  if (event.type === 'interaction-ended')
    return edit(drafts, event.interaction, draft => {
      draft.facts = { ...draft.facts, ...endOf(entry, event) }
    })
  if (event.type === 'validity-changed')
    return edit(drafts, event.target.interaction, draft => recordChange(draft.ledger, entry, event))
  return false
}

function begin(entry: Entry, event: EventOf<'interaction-started'>): Draft {
  const { interaction: id, trigger, agent, prompt } = event
  const start = { seq: entry.seq, at: event.happened ?? entry.at }
  const message = userMessage(event)
  return {
    facts: { id, trigger, agent, prompt, start, stop: null, state: 'open', outcome: null, reason: null },
    messages: message === null ? [] : [message.id],
    ledger: createLedger(),
    made: null,
  }
}

function endOf({ seq, at }: Entry, { outcome, reason, happened = at }: EventOf<'interaction-ended'>) {
  const state = outcome === 'interrupted' ? ('aborted' as const) : ('closed' as const)
  return { stop: { seq, at: happened }, state, outcome, reason }
}

/** A message that is opened again, even by a later interaction, stays where it began. */
function addMessages(drafts: Map<InteractionId, Draft>, known: Set<string>, { event }: Entry): boolean {
  let changed = false
  for (const { thread, chunk } of chunksOf(event)) {
    if (chunk.type !== 'start' || !('interaction' in event)) continue
    const key = `${thread ?? ''} ${chunk.messageId}`
    if (known.has(key)) continue
    known.add(key)
    const added = edit(drafts, event.interaction, draft => draft.messages.push(chunk.messageId))
    changed ||= added
  }
  return changed
}

function edit(
  drafts: Map<InteractionId, Draft>,
  id: InteractionId | null,
  apply: (draft: Draft) => void,
): boolean {
  const draft = id === null ? undefined : drafts.get(id)
  if (draft === undefined) return false
  apply(draft)
  draft.made = null
  return true
}

function make(draft: Draft): Interaction {
  draft.made ??= { ...draft.facts, messages: [...draft.messages], validity: validityOf(draft.ledger) }
  return draft.made
}

/** A part that was set back to active after the whole was not makes the whole count again. */
function validityOf(ledger: ValidityLedger): InteractionValidity {
  const { whole, parts, history } = ledger
  const change = whole === null ? null : decisiveOfAll(ledger, [null, ...parts.keys()])
  return { state: change?.to ?? 'active', change, parts: new Map(parts), history: [...history] }
}
