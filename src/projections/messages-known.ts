import type { ThreadChunk } from '../protocol/chunk.ts'
import type { InteractionId } from '../protocol/ids.ts'
import { openThreads } from '../protocol/open-parts.ts'
import { createMessageLists, type ListOptions, type MessageLists, type Slot } from './message-lists.ts'
import type { SnapshotSeed } from './snapshot-seed.ts'
import { createFixedDraft, createStoredDraft, type StoredDraft } from './stored-draft.ts'
import type { StoredMessage } from './stored-message.ts'
import { createThreadCursor, type ThreadCursor } from './thread-cursor.ts'
import { createLedger, noteChange, type ValidityLedger } from './validity.ts'

/** What a fold of messages knows. */
export interface Known {
  readonly lists: MessageLists
  readonly cursor: ThreadCursor
  readonly interactions: Map<InteractionId, { readonly agent: string; readonly synthetic: boolean }>
  readonly ledgers: Map<InteractionId, ValidityLedger>
  /** Which call each unanswered question is about. */
  readonly questions: Map<string, { readonly slot: Slot; readonly toolCallId: string }>
  /** Which message holds the call that a thread is named after. */
  readonly callers: Map<string, string>
  /** What is known of the time before; null where that was seen. */
  readonly before: Before | null
  /** The agent that speaks outside of every interaction. */
  agent: string
}

/** Tells messages that begin from those of before a snapshot that are opened again, and are not in it. */
interface Before {
  /** The interaction that ran then, and all that began later. */
  readonly since: Set<InteractionId>
  isNew(said: ThreadChunk, id: string, interaction: InteractionId | null): boolean
}

/** Before the first entry. */
export function knowNothing(options: ListOptions): Known {
  const ledgers = new Map<InteractionId, ValidityLedger>()
  return {
    lists: createMessageLists(ledgers, options),
    cursor: createThreadCursor(),
    interactions: new Map(),
    ledgers,
    questions: new Map(),
    callers: new Map(),
    before: null,
    agent: '',
  }
}

/** As if all entries before had been seen, as far as the messages of the snapshot go. */
export function knowSeed(seed: SnapshotSeed, options: ListOptions): Known {
  const { session, messages, continuation } = seed
  const blank = knowNothing(options)
  const known: Known = {
    ...blank,
    cursor: createThreadCursor(continuation.open.messages),
    before: createBefore(seed, blank.lists),
    agent: session.agent,
  }
  const { interactions, callers, ledgers } = known
  for (const { messageId, calls, subagents } of continuation.open.messages)
    for (const id of [...calls.map(call => call.toolCallId), ...subagents.map(each => each.id)])
      callers.set(id, messageId)
  for (const { interaction, changes } of continuation.validity) {
    const ledger = createLedger()
    for (const change of changes) noteChange(ledger, change)
    ledgers.set(interaction, ledger)
  }
  for (const stored of messages) know(known, stored, draftOf(seed, stored))
  const { running, agent } = session
  if (running !== null)
    interactions.set(running.interaction, { agent, synthetic: running.trigger !== 'user' })
  return known
}

function draftOf({ continuation }: SnapshotSeed, stored: StoredMessage): StoredDraft {
  const { message, partIds, thread } = stored
  if (message.role !== 'assistant') return createFixedDraft({ message, partIds })
  const paused = continuation.retellings.find(each => each.thread === thread && each.message === message.id)
  return createStoredDraft({ message, partIds }, paused)
}

function know({ lists, interactions, questions, callers }: Known, stored: StoredMessage, draft: StoredDraft) {
  const { interaction, agent, synthetic, message } = stored
  const slot = lists.addMade(stored, draft)
  if (interaction !== null) interactions.set(interaction, { agent, synthetic })
  for (const part of message.parts) {
    if (part.type !== 'dynamic-tool') continue
    const { toolCallId } = part
    callers.set(toolCallId, message.id)
    if ('approval' in part && part.approval !== undefined && part.approval.approved === undefined)
      questions.set(part.approval.id, { slot, toolCallId })
  }
}

/**
 * A message that nobody has seen is new when an interaction says it that ran then or began later. Any other may only
 * be one of a subagent that was at work: the rest are old ones, opened again for a late result or told again.
 */
function createBefore({ session, continuation }: SnapshotSeed, lists: MessageLists): Before {
  const since = new Set(session.running === null ? [] : [session.running.interaction])
  const open = new Set(continuation.open.messages.map(({ messageId }) => messageId))
  const working = new Set(openThreads(continuation.open))
  return {
    since,
    isNew({ thread, chunk }, id, interaction) {
      if (chunk.type !== 'start' || open.has(id)) return false
      if (interaction !== null && since.has(interaction)) return true
      return thread !== null && (working.has(thread) || lists.has(thread))
    },
  }
}
