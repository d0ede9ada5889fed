import type { Entry } from '../protocol/entry.ts'
import { chunksOf } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import { createFold, type Fold } from './fold.ts'
import { addSpent, nothingSpent, spentIn, type Spent } from './spent.ts'
import { createThreadCursor } from './thread-cursor.ts'

/**
 * What a session used. Each message of each thread counts once, with the last that it told; so a message must
 * not tell again what its subagents tell in their own threads. A `data-subagent` part is for people and not counted.
 */
export interface Usage {
  readonly total: Spent
  readonly interactions: ReadonlyMap<InteractionId | null, Spent>
  /** By model; under `null` what nobody named a model for. */
  readonly models: ReadonlyMap<string | null, Spent>
}

interface Told {
  readonly interaction: InteractionId | null
  readonly model: string | null
  readonly spent: Spent
  /** What a `data-usage` part said outweighs what the end of the message says. */
  readonly exact: boolean
}

/** Folds entries into tokens and cost: in all, per interaction, per model. */
export function createUsage(): Fold<Usage> {
  const cursor = createThreadCursor()
  const messages = new Map<string, Told>()
  const home = new Map<string, InteractionId | null>()
  let model: string | null = null

  const take = (entry: Entry): boolean => {
    const interaction = 'interaction' in entry.event ? entry.event.interaction : null
    let changed = false
    for (const said of chunksOf(entry.event)) {
      const { thread, chunk } = said
      const message = cursor.follow(said)
      if (thread === null && chunk.type === 'data-session') model = chunk.data.model ?? model
      if (message === null) continue
      const key = `${thread ?? ''} ${message}`
      if (!home.has(key)) home.set(key, interaction)
      const spent = spentIn(chunk)
      if (spent === null || (!spent.exact && messages.get(key)?.exact === true)) continue
      const told = { ...spent, model: spent.model ?? model, interaction: home.get(key) ?? null }
      messages.set(key, told)
      changed = true
    }
    return changed
  }
  return createFold(take, () => sum(messages.values()))
}

function sum(messages: Iterable<Told>): Usage {
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
