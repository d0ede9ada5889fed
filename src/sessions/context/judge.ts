import {
  createHistoryIndex,
  createStrategies,
  strategiesAfter,
  strategiesAtBoundary,
  type History,
  type Manifest,
  type ManipulationEvent,
  type Policy,
} from '../../context/index.ts'
import type { Effectiveness } from '../../protocol/manipulation.ts'
import type { LiveSession } from '../live-session.ts'
import type { HistoryReader } from './history-reader.ts'

/** Saves what was found; gives the history that knows of it. */
export type Judge = (history: History, policy: Policy, at: number) => Promise<History>

/** Lets the tools say what their new results made obsolete, one after the other. */
export function createJudge(live: LiveSession, reader: HistoryReader, effective: Effectiveness): Judge {
  const index = createHistoryIndex()
  const strategies = createStrategies()
  return async (first, policy, at) => {
    let history = first
    const keep = async (events: readonly ManipulationEvent[]) => {
      if (events.length === 0) return
      await live.keep(() => events)
      history = await reader.readOn()
    }
    const last = reader.manifest
    const options = { strategies, index, step: stepOf(first), effective, newId: live.host.newId }
    for (const call of resultsSince(first, last)) await keep(strategiesAfter(history, call, options))
    const isCold = last === null || at - last.at > policy.cacheSeconds * 1000
    if (isCold) await keep(strategiesAtBoundary(history, at, options))
    return history
  }
}

/** The calls whose results no request has held yet. */
function resultsSince({ messages }: History, last: Manifest | null): readonly string[] {
  const results = messages.flatMap(({ message }) =>
    message.parts.flatMap(part => (part.kind === 'result' ? [part.call] : [])),
  )
  const answered = new Set(results)
  const pairs = messages.flatMap(each => each.pairs).filter(({ step }) => step >= (last?.step ?? 0))
  return pairs.filter(({ callId }) => answered.has(callId)).map(({ call }) => call)
}

/** The number of the request that is made now: that of the words which it sends for the first time. */
export function stepOf({ messages }: History): number {
  const last = messages.at(-1)
  if (last === undefined) return 1
  return last.message.role === 'assistant' ? last.step + 1 : last.step
}
