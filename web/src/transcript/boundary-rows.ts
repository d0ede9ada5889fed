import { dayOf } from './days.ts'
import type { InteractionFacts } from './interaction-facts.ts'
import type { Row, RowContent } from './row.ts'

/** The current position in a conversation. */
export interface Cursor {
  /** Undefined before the first message. */
  readonly interaction: string | null | undefined
  readonly facts: InteractionFacts | null
  readonly day: string | null
}

/** Before everything. */
export const beginning: Cursor = { interaction: undefined, facts: null, day: null }

const cache = new WeakMap<InteractionFacts, Map<string, Row>>()

/** A row about an interaction; the same one for the same facts. */
function rowAbout(facts: InteractionFacts, name: string, content: RowContent): Row {
  const rows = cache.get(facts) ?? new Map<string, Row>()
  cache.set(facts, rows)
  const known = rows.get(name)
  if (known !== undefined) return known
  const row: Row = { key: `${name} ${facts.id}`, depth: 0, thread: null, message: null, ...content }
  rows.set(name, row)
  return row
}

/** The rows between one interaction and the next, and the reading position after them. */
export function crossInto(
  before: Cursor,
  interaction: string | null,
  facts: InteractionFacts | null,
): { readonly rows: readonly Row[]; readonly cursor: Cursor } {
  if (before.interaction === interaction && before.facts === facts) return { rows: none, cursor: before }
  const rows: Row[] = [...endingOf(before.facts)]
  if (facts === null) return { rows, cursor: { ...before, interaction, facts: null } }
  const day = dayOf(facts.startedAt)
  if (day !== before.day) rows.push(rowAbout(facts, 'day', { kind: 'day', at: facts.startedAt }))
  rows.push(...handoverOf(facts, before.facts))
  // The first prompt of a day goes under the day's heading.
  if (facts.trigger !== 'user' || (before.interaction !== undefined && day === before.day))
    rows.push(boundaryOf(facts, before.facts))
  return { rows, cursor: { interaction, facts, day } }
}

const none: readonly Row[] = []

/** Half an hour: quicker replies belong to the same conversation, and each message shows its time. */
const pause = 30 * 60_000

/** The start of an interaction. The pause is measured from the end of the previous one, if known. */
function boundaryOf(facts: InteractionFacts, before: InteractionFacts | null): Row {
  const { trigger, startedAt: at } = facts
  const afterPause = before === null || at - (before.endedAt ?? before.startedAt) >= pause
  return rowAbout(facts, afterPause ? 'pause' : 'boundary', { kind: 'boundary', trigger, at, afterPause })
}

/** How an interaction ended, if worth showing. */
export function endingOf(facts: InteractionFacts | null): readonly Row[] {
  if (facts === null || facts.outcome === null || facts.outcome === 'finished') return none
  return [rowAbout(facts, 'ending', { kind: 'ending', outcome: facts.outcome, reason: facts.reason })]
}

/** Continuing the agent's own session is not a handover, nor is sending the history to an agent without memory. */
function handoverOf(facts: InteractionFacts, before: InteractionFacts | null): readonly Row[] {
  const isOther = before !== null && before.agent !== facts.agent
  const how = facts.handover?.how ?? null
  const handover = how === 'transcript' || how === 'forked' ? facts.handover : null
  if (!isOther && handover === null) return none
  const content = {
    kind: 'handover',
    agent: facts.agent,
    how,
    transcript: handover?.transcript ?? null,
    before: isOther ? before.agent : null,
    ...(handover?.lost !== undefined && { lost: handover.lost }),
  } as const
  return [rowAbout(facts, `handover ${content.before ?? ''}`, content)]
}
