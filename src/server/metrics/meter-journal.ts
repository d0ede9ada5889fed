import { setImmediate } from 'node:timers/promises'
import type { Journal } from '../../journal/journal.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { Level, Log } from '../log.ts'
import type { Metrics } from './metrics.ts'
import type { Labels } from './registry.ts'

const seenAtOnce = 250

/** The same journal, which counts every saved entry and logs what operators need to know. */
export function meterJournal(journal: Journal, metrics: Metrics, log: Log): Journal {
  const count = createEntryCounter(metrics)
  const see = (entry: Entry) => {
    count(entry)
    const line = logLineOf(entry.event)
    if (line === undefined) return
    const [level, message, facts] = line
    log(level, message, { session: entry.session, seq: entry.seq, ...facts })
  }
  const measure = async (save: Promise<readonly Entry[]>): Promise<readonly Entry[]> => {
    const began = performance.now()
    const entries = await save
    metrics.saveSeconds.observe((performance.now() - began) / 1000)
    for (const [index, entry] of entries.entries()) {
      // An old array becomes many entries at once, whose log lines would block other requests.
      if (index > 0 && index % seenAtOnce === 0) await setImmediate()
      see(entry)
    }
    return entries
  }
  return {
    ...journal,
    create: (session, events, times) => measure(journal.create(session, events, times)),
    append: (session, events) => measure(journal.append(session, events)),
    async appendOnce(session, once, events) {
      const saved = await journal.appendOnce(session, once, events)
      if (!saved.repeated) for (const entry of saved.entries) see(entry)
      return saved
    },
  }
}

type LogLine = readonly [level: Level, message: string, facts?: Readonly<Record<string, unknown>>]

/** What is logged of an event: what starts, ends and fails, never the content of messages. */
function logLineOf(event: Event): LogLine | undefined {
  if (event.type === 'session-created') return ['info', 'A session was created.', { agent: event.agent }]
  if (event.type === 'interaction-started')
    return ['info', 'An interaction started.', { interaction: event.interaction, trigger: event.trigger }]
  if (event.type === 'interaction-ended') {
    const { interaction, outcome, reason } = event
    const level = outcome === 'failed' ? 'warning' : 'info'
    return [level, 'An interaction ended.', { interaction, outcome, reason }]
  }
  if (event.type === 'agent-connected')
    return ['info', 'An agent connected.', { agent: event.agent, process: event.process }]
  if (event.type === 'agent-exited') {
    const { code, signal, reason } = event
    return [reason === null ? 'info' : 'warning', 'An agent exited.', { code, signal, reason }]
  }
  if (event.type !== 'saving-delayed') return undefined
  return ['warning', 'Saving was delayed.', { code: event.code, milliseconds: event.milliseconds }]
}

/** When open interactions and approvals began, to measure how long they take. */
interface Open {
  readonly interactions: Map<string, number>
  readonly approvals: Map<string, number>
  /** The agent of each open connection. */
  readonly connections: Map<string, string>
}

/** With more open approvals than this, the oldest is forgotten. */
const mostOpen = 10_000

/** Counts saved entries. Most are plain agent messages, which need only two counters. */
function createEntryCounter(metrics: Metrics): (entry: Entry) => void {
  const open: Open = { interactions: new Map(), approvals: new Map(), connections: new Map() }
  const labels = new Map<Event['type'], Labels>()
  const labelsOf = (type: Event['type']) => {
    const made = labels.get(type) ?? { type }
    labels.set(type, made)
    return made
  }
  return entry => {
    const { session, event, at } = entry
    metrics.eventsSaved.add(labelsOf(event.type))
    if ('chunks' in event) countChunks(metrics, open, entry, event.chunks)
    if (event.type === 'agent-spoke' || event.type === 'host-spoke')
      return metrics.rawBytes.add(noLabels, event.rawFile?.bytes ?? Buffer.byteLength(event.raw))
    countTimes(metrics, open, event, at)
    countAgents(metrics, open, event)
    if (event.type === 'approval-answered') {
      const result = event.approved ? 'granted' : 'denied'
      settle(metrics, open, `${session} ${event.approval}`, at, result)
    } else if (event.type === 'approval-lapsed')
      settle(metrics, open, `${session} ${event.approval}`, at, 'lapsed')
  }
}

const noLabels: Labels = {}

function countChunks(
  metrics: Metrics,
  { approvals, connections }: Open,
  { session, event, at }: Entry,
  chunks: readonly ThreadChunk[],
): void {
  for (const { chunk } of chunks) {
    if (chunk.type === 'tool-approval-request') remember(approvals, `${session} ${chunk.approvalId}`, at)
    if (chunk.type === 'data-unknown' && 'connection' in event)
      metrics.parserErrors.add({ agent: connections.get(event.connection) ?? 'unknown' })
  }
}

function countTimes(metrics: Metrics, { interactions }: Open, event: Event, at: number): void {
  if (event.type === 'interaction-started') remember(interactions, event.interaction, at)
  if (event.type !== 'interaction-ended') return
  const began = interactions.get(event.interaction)
  interactions.delete(event.interaction)
  // An interaction that an earlier server left open is not measured: it was not running all the time.
  if (began !== undefined) metrics.interactionSeconds.observe((at - began) / 1000, { outcome: event.outcome })
}

function countAgents(metrics: Metrics, { connections }: Open, event: Event): void {
  if (event.type === 'agent-connected') {
    connections.set(event.connection, event.agent)
    metrics.agentsRunning.add(1, { agent: event.agent })
  } else if (event.type === 'agent-exited') {
    const agent = connections.get(event.connection)
    if (connections.delete(event.connection) && agent !== undefined) metrics.agentsRunning.add(-1, { agent })
  }
}

function settle(metrics: Metrics, { approvals }: Open, key: string, at: number, result: string): void {
  const asked = approvals.get(key)
  if (asked !== undefined) metrics.approvalWait.observe(Math.max(0, at - asked) / 1000, { result })
  approvals.delete(key)
}

function remember(times: Map<string, number>, key: string, at: number): void {
  if (!times.has(key)) times.set(key, at)
  const [oldest] = times.size > mostOpen ? times.keys() : []
  if (oldest !== undefined) times.delete(oldest)
}
