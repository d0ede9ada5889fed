import type { Chunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import type { House } from '../house.ts'
import type { ChatPlan } from './chat-plan.ts'
import { compact } from './compact.ts'
import { createContinuation } from './continue-after.ts'
import { createInteractionItems } from './interaction-items.ts'
import type { Item } from './item.ts'
import type { MessageOrigins } from './message-origins.ts'
import { createPhrasing, isChunk } from './phrasing.ts'

/** Turns the entries of an interaction into the stream of a client. */
export interface Telling {
  /** Collects items from entries; returns false when there are enough to send. */
  gather(entries: readonly Entry[]): boolean
  /** What was gathered, in as few chunks as can be, as JSON. */
  tell(): readonly string[]
  state(): 'waiting' | 'running' | 'ended'
}

/** So many items are gathered at most; entries that add none, like those of one long text, for longer. */
const mostItems = 64
const mostEntries = 1024

/** Starts to stream what is planned. */
export function createTelling(house: House, plan: ChatPlan, origins: MessageOrigins): Telling {
  const items = createInteractionItems(plan.subject, (id, interaction) => origins.isOld(id, interaction))
  const goOn = plan.continueAfter === null ? whole : createContinuation(plan.continueAfter)
  const phrase = createPhrasing(plan.dialect)
  const lint = createLint(house, plan)
  let gathered: readonly Item[] = []
  let entriesSince = 0
  return {
    gather(entries) {
      const all = [...gathered]
      for (const entry of entries) for (const item of items.take(entry)) all.push(...goOn(item))
      gathered = all.length > mostItems ? compact(all) : all
      entriesSince += entries.length
      return gathered.length <= mostItems && entriesSince < mostEntries
    },
    tell() {
      const told = compact(gathered)
      gathered = []
      entriesSince = 0
      lint(told, items.state() === 'ended')
      return phrase(told)
    },
    state: () => items.state(),
  }
}

const whole = (item: Item): readonly Item[] => [item]

/** In development every answer is looked over; one of which the client has the beginning cannot be. */
function createLint({ options, log }: House, { session, continueAfter }: ChatPlan) {
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
