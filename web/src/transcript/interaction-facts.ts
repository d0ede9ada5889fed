import type { Entry, Outcome, Trigger, Validity } from 'dragoman'
import type { SessionFacts } from 'dragoman/client'
import type { Interactions } from 'dragoman/client/context'
import type { Handover } from './row.ts'

/** What a transcript shows about an interaction. */
export interface InteractionFacts {
  readonly id: string
  readonly trigger: Trigger
  readonly agent: string
  readonly startedAt: number
  readonly startSeq: number
  readonly endedAt: number | null
  readonly outcome: Outcome | null
  readonly reason: string | null
  readonly handover: Omit<Handover, 'before'> | null
  /** Whether it is active; the default when nothing is known. */
  readonly validity?: Validity
}

/** The interaction and thread of a message. */
export interface MessageHome {
  readonly interaction: string
  readonly thread: string | null
}

/** The known interactions of a session. */
export interface InteractionBook {
  readonly facts: ReadonlyMap<string, InteractionFacts>
  readonly homes: ReadonlyMap<string, MessageHome>
  /**
   * The entry from which on all interactions are known; null: from the first one, undefined: nothing was loaded
   * yet.
   */
  readonly from: number | null | undefined
}

/** Nothing known yet. */
export const emptyBook: InteractionBook = { facts: new Map(), homes: new Map(), from: undefined }

/** Whether the interactions of all messages from an entry on are known; null is the first entry. */
export const covers = ({ from }: InteractionBook, begin: number | null): boolean =>
  from === null || (from !== undefined && begin !== null && from <= begin)

/** The same facts, now known back to this entry, unless they already reach further back. */
export const reaching = (book: InteractionBook, from: number | null): InteractionBook => ({
  ...book,
  from: from === null || book.from === null ? null : Math.min(from, book.from ?? from),
})

/** Adds a page from the server; ends received since then are kept. */
export function learnPage(book: InteractionBook, page: Interactions['interactions']): InteractionBook {
  const facts = new Map(book.facts)
  const homes = new Map(book.homes)
  for (const { id, trigger, agent, start, stop, outcome, reason, validity, messages } of page) {
    const before = facts.get(id)
    for (const { id: message, thread } of messages) homes.set(message, { interaction: id, thread })
    if (before !== undefined && before.outcome !== null) {
      if ((before.validity ?? 'active') !== validity) facts.set(id, { ...before, validity })
      continue
    }
    facts.set(id, {
      id,
      trigger,
      agent,
      startedAt: start.at,
      startSeq: start.seq,
      endedAt: stop?.at ?? null,
      outcome,
      reason,
      handover: before?.handover ?? null,
      validity,
    })
  }
  return { ...book, facts, homes }
}

/** Whether an entry changes which interactions are active: only the server knows the result. */
export const changesWhatCounts = ({ event }: Entry): boolean =>
  event.type === 'manipulation-rolled-back' || (event.type === 'manipulation-applied' && event.whole === true)

/** Takes in new entries; returns the same book when none was about interactions. */
export function learnEntries(book: InteractionBook, entries: readonly Entry[]): InteractionBook {
  const news = entries.filter(({ event }) => event.type in relevant)
  if (news.length === 0) return book
  const facts = new Map(book.facts)
  for (const entry of news) learnEntry(facts, entry)
  return { ...book, facts }
}

const relevant = { 'interaction-started': true, 'interaction-ended': true, 'conversation-handed-over': true }

function learnEntry(facts: Map<string, InteractionFacts>, { at, seq, event }: Entry): void {
  if (event.type === 'interaction-started') {
    const { interaction: id, trigger, agent, happened = at } = event
    const rest = { endedAt: null, outcome: null, reason: null, handover: null }
    facts.set(id, { id, trigger, agent, startedAt: happened, startSeq: seq, ...rest })
  }
  if (event.type !== 'interaction-ended' && event.type !== 'conversation-handed-over') return
  const before = facts.get(event.interaction)
  if (before === undefined) return
  if (event.type === 'interaction-ended')
    facts.set(before.id, {
      ...before,
      endedAt: event.happened ?? at,
      outcome: event.outcome,
      reason: event.reason,
    })
  else {
    facts.set(before.id, { ...before, handover: handoverIn(event) })
  }
}

/** Assigns the session's last handover to the interaction it happened in. */
export function learnHandover(book: InteractionBook, handover: SessionFacts['handedOver']): InteractionBook {
  if (handover === null) return book
  let found: InteractionFacts | null = null
  for (const each of book.facts.values())
    if (each.startSeq < handover.seq && each.startSeq > (found?.startSeq ?? -1)) found = each
  if (found === null || found.handover !== null) return book
  const facts = new Map(book.facts).set(found.id, { ...found, handover: handoverIn(handover) })
  return { ...book, facts }
}

type HandoverEvent = Omit<Handover, 'before' | 'lost'> & { readonly lost?: string | undefined }

const handoverIn = ({ agent, how, transcript, lost }: HandoverEvent): Omit<Handover, 'before'> => ({
  agent,
  how,
  transcript,
  ...(lost !== undefined && { lost }),
})
