import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { Metrics } from './metrics.ts'
import type { Labels } from './registry.ts'

/** What has begun and not ended: kept to know how long it took. */
interface Open {
  readonly interactions: Map<string, number>
  readonly approvals: Map<string, number>
  /** The connected agents by connection, and which agent each is. */
  readonly connections: Map<string, string>
}

/** What was asked and never settled is forgotten when so many wait. */
const mostOpen = 10_000

/** Updates metrics from entries as they are saved. Most are plain agent messages, which take a fast path. */
export function createWatch(metrics: Metrics): (entry: Entry) => void {
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
  // One that an earlier server left behind did not take the time until it was closed.
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
