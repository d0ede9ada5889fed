import type { Chunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import type { ServerParts } from '../server-parts.ts'
import type { ChatPlan } from './chat-plan.ts'
import { compact } from './compact.ts'
import { createContinuation } from './continue-after.ts'
import { createInteractionItems } from './interaction-items.ts'
import { createDialectWriter, isChunk, type Item } from './item.ts'
import type { MessageOrigins } from './message-origins.ts'

/** Turns the entries of an interaction into the stream of a client. */
export interface ChatChunks {
  /** Collects items from entries; returns false when there are enough to send. */
  gather(entries: readonly Entry[]): boolean
  /** Returns what was gathered, in as few chunks as possible, as JSON. */
  take(): readonly string[]
  state(): 'waiting' | 'running' | 'ended'
}

/** At most this many items are gathered. Entries that add none, such as those of one long text, are gathered for longer. */
const mostItems = 64
const mostEntries = 1024

/** Starts to stream a plan. */
export function createChatChunks(server: ServerParts, plan: ChatPlan, origins: MessageOrigins): ChatChunks {
  const items = createInteractionItems(plan.subject, (id, interaction) => origins.isOld(id, interaction))
  const goOn = plan.continueAfter === null ? whole : createContinuation(plan.continueAfter)
  const write = createDialectWriter(plan.dialect)
  const lint = createLint(server, plan)
  let gathered: readonly Item[] = []
  let entriesSince = 0
  return {
    gather(entries) {
      const all = [...gathered]
      for (const entry of entries)
        for (const item of items.take(entry)) for (const each of goOn(item)) all.push(each)
      gathered = all.length > mostItems ? compact(all) : all
      entriesSince += entries.length
      return gathered.length <= mostItems && entriesSince < mostEntries
    },
    take() {
      const compacted = compact(gathered)
      gathered = []
      entriesSince = 0
      lint(compacted, items.state() === 'ended')
      return write(compacted)
    },
    state: () => items.state(),
  }
}

const whole = (item: Item): readonly Item[] => [item]

/** In development, checks every answer, except one that the client has the start of. */
function createLint({ options, log }: ServerParts, { session, continueAfter }: ChatPlan) {
  if (!options.lint || continueAfter !== null) return () => {}
  const all: Chunk[] = []
  return (items: readonly Item[], isEnded: boolean) => {
    all.push(...items.filter(isChunk))
    if (!isEnded) return
    try {
      assertWellFormed(all.map(chunk => ({ thread: null, chunk })))
    } catch (error) {
      log('error', 'A chat stream is malformed.', { session, error })
    }
  }
}
