import type { ThreadChunk } from '../protocol/chunk.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import { createFold, type Fold } from './fold.ts'
import { agentGivenIn, modelAfter } from './model-after.ts'
import type { SnapshotSeed } from './snapshot-seed.ts'
import { spend, totalSpent } from './spending.ts'
import { addSpent, nothingSpent, spentIn, type Spent } from './spent.ts'
import { createThreadCursor } from './thread-cursor.ts'

/**
 * What a session used. Each message of each thread counts once, with its last report. A message must therefore not include
 * the usage that its subagents report in their own threads. A `data-subagent` part is only shown to people, not counted.
 */
export interface Usage {
  readonly total: Spent
  readonly interactions: ReadonlyMap<InteractionId | null, Spent>
  /** By model; `null` is the key for usage without a model. */
  readonly models: ReadonlyMap<string | null, Spent>
}

interface MessageUsage {
  readonly interaction: InteractionId | null
  readonly model: string | null
  readonly spent: Spent
  /** Whether a `data-usage` part reported it. Such a report has priority over the one at the end of the message. */
  readonly exact: boolean
}

/**
 * Folds entries into tokens and cost: in total, per interaction, and per model. If it starts from a snapshot, only the total
 * includes earlier usage.
 */
export function createUsage(seed?: SnapshotSeed): Fold<Usage> {
  const cursor = createThreadCursor(seed?.continuation.open.messages)
  const messages = new Map<string, MessageUsage>()
  const home = new Map<string, InteractionId | null>()
  let agent = seed?.session.agent ?? null
  let model = seed?.session.model ?? null
  let spending = seed?.continuation.spending

  const note = (interaction: InteractionId | null, threadChunk: ThreadChunk): boolean => {
    const { thread, chunk } = threadChunk
    const message = cursor.follow(threadChunk)
    model = modelAfter(model, threadChunk)
    if (message === null) return false
    const key = `${thread ?? ''} ${message}`
    if (!home.has(key)) home.set(key, interaction)
    const spent = spentIn(chunk)
    if (spent === null || (!spent.exact && messages.get(key)?.exact === true)) return false
    messages.set(key, { ...spent, model: spent.model ?? model, interaction: home.get(key) ?? null })
    return true
  }
  const take = ({ event }: Entry): boolean => {
    const given = agentGivenIn(event) ?? agent
    if (given !== agent) model = null
    agent = given
    const interaction = 'interaction' in event ? event.interaction : null
    spending = spending && chunksOf(event).reduce(spend, spending)
    let changed = false
    for (const threadChunk of chunksOf(event)) if (note(interaction, threadChunk)) changed = true
    if (event.type !== 'session-branched') return changed
    // The usage of copied messages counts in the session that they were copied from.
    messages.clear()
    return true
  }
  return createFold(take, () => {
    const total = sum(messages.values())
    return spending === undefined ? total : { ...total, total: totalSpent(spending) }
  })
}

function sum(messages: Iterable<MessageUsage>): Usage {
  const interactions = new Map<InteractionId | null, Spent>()
  const models = new Map<string | null, Spent>()
  let total = nothingSpent
  for (const { interaction, model, spent } of messages) {
    total = addSpent(total, spent)
    interactions.set(interaction, addSpent(interactions.get(interaction) ?? nothingSpent, spent))
    models.set(model, addSpent(models.get(model) ?? nothingSpent, spent))
  }
  return { total, interactions, models }
}
