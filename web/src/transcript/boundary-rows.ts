import { dayOf } from './days.ts'
import type { InteractionFacts } from './interaction-facts.ts'
import type { Row, RowContent } from './row.ts'

/** Where the reading of a conversation has come to. */
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

/** What stands between an interaction and the next one, and where the reading is then. */
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
  // The first prompt of a day stands under the day.
  if (facts.trigger !== 'user' || (before.interaction !== undefined && day === before.day))
    rows.push(boundaryOf(facts, before.facts))
  return { rows, cursor: { interaction, facts, day } }
}

const none: readonly Row[] = []

/** Half an hour: whoever answers sooner is still in the same conversation, and each answer tells its own time. */
const pause = 30 * 60_000

/** Where an interaction begins. How long nothing was done is counted from the end of the one before, as far as that is known. */
function boundaryOf(facts: InteractionFacts, before: InteractionFacts | null): Row {
  const { trigger, startedAt: at } = facts
  const afterPause = before === null || at - (before.endedAt ?? before.startedAt) >= pause
  return rowAbout(facts, afterPause ? 'pause' : 'boundary', { kind: 'boundary', trigger, at, afterPause })
}

/** How an interaction ended, if there is something to say about it. */
export function endingOf(facts: InteractionFacts | null): readonly Row[] {
  if (facts === null || facts.outcome === null || facts.outcome === 'finished') return none
  return [rowAbout(facts, 'ending', { kind: 'ending', outcome: facts.outcome, reason: facts.reason })]
}

/** An agent's own session that goes on is no hand-over, nor is what an agent without a memory is sent each time. */
function handoverOf(facts: InteractionFacts, before: InteractionFacts | null): readonly Row[] {
  const isOther = before !== null && before.agent !== facts.agent
  const how = facts.handover?.how ?? null
  const told = how === 'transcript' || how === 'forked' ? facts.handover : null
  if (!isOther && told === null) return none
  const content = {
    kind: 'handover',
    agent: facts.agent,
    how,
    transcript: told?.transcript ?? null,
    before: isOther ? before.agent : null,
    ...(told?.lost !== undefined && { lost: told.lost }),
  } as const
  return [rowAbout(facts, `handover ${content.before ?? ''}`, content)]
}
