import {
  createHistoryIndex,
  strategiesAfter,
  strategiesAtBoundary,
  type History,
  type Manifest,
  type ManipulationEvent,
  type Policy,
} from '../../context/index.ts'
import type { Effectiveness } from '../../protocol/manipulation.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { askStrategies } from '../strategies/ask-strategies.ts'
import type { HistoryReader } from './history-reader.ts'

/** Saves the findings and returns the history with them. */
export type Judge = (history: History, policy: Policy, at: number) => Promise<History>

/** Runs the strategies for new tool results, one result after the other. */
export function createJudge(owned: OwnedSession, reader: HistoryReader, effective: Effectiveness): Judge {
  const index = createHistoryIndex()
  const { strategies, custom } = owned.host.strategies
  const news = createNews()
  const tidying = createTidying(() => owned.writer.state.summary.running?.interaction ?? null)
  return async (first, policy, at) => {
    let history = first
    const keep = async (events: readonly ManipulationEvent[]) => {
      if (events.length === 0) return
      await owned.writer.appendUntilSaved(() => events)
      history = await reader.readOn()
    }
    const last = reader.manifest
    const options = { strategies, index, step: stepOf(first), effective, newId: owned.host.newId }
    for (const call of news(first, last)) {
      await keep(strategiesAfter(history, call, options))
      await keep(await askStrategies({ history, call, options, custom }))
    }
    for (const call of tidying(first))
      await keep(await askStrategies({ history, call, when: 'optimise', options, custom }))
    const isCold = last === null || at - last.at > policy.cacheSeconds * 1000
    if (isCold) await keep(strategiesAtBoundary(history, at, options))
    return history
  }
}

/**
 * The calls whose results are new since the last run. Results from before the first run were judged
 * with the request that contained them, if there was one.
 */
function createNews() {
  const known = new Set<string>()
  return ({ messages }: History, last: Manifest | null): readonly string[] => {
    const from = known.size === 0 ? (last?.step ?? 0) : 0
    const answered = new Set(
      messages.flatMap(({ message }) =>
        message.parts.flatMap(part => (part.kind === 'result' ? [part.call] : [])),
      ),
    )
    const pairs = messages.flatMap(each => each.pairs)
    const fresh = pairs.filter(({ callId, call }) => answered.has(callId) && !known.has(call))
    for (const { call } of fresh) known.add(call)
    return fresh.filter(({ step }) => step >= from).map(({ call }) => call)
  }
}

/**
 * The last call of each tool in each interaction that has ended, once. Of those from before the first run only the newest is
 * new: the others were judged already.
 */
function createTidying(running: () => string | null) {
  const asked = new Set<string>()
  return ({ messages }: History): readonly string[] => {
    const pairs = messages.flatMap(each => each.pairs).filter(({ interaction }) => interaction !== running())
    const ended = [...new Set(pairs.map(({ interaction }) => interaction))]
    const isFirst = asked.size === 0
    const fresh = new Set(ended.filter(each => !asked.has(each)).slice(isFirst ? -1 : 0))
    for (const each of ended) asked.add(each)
    const last = pairs.filter(({ interaction }) => fresh.has(interaction))
    return [...new Map(last.map(each => [`${each.interaction} ${each.tool}`, each.call])).values()]
  }
}

/** The number of the current request: that of the parts which it sends for the first time. */
export function stepOf({ messages }: History): number {
  const last = messages.at(-1)
  if (last === undefined) return 1
  return last.message.role === 'assistant' ? last.step + 1 : last.step
}
