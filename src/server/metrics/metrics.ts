import { createRegistry, type Counter, type Gauge, type Histogram, type Registry } from './registry.ts'

/** All metrics of the server. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: Counter
  readonly connectionsDropped: Counter
  readonly eventsSaved: Counter
  readonly saveSeconds: Histogram
  readonly rawBytes: Counter
  /** The age of new entries when they are sent to a client. */
  readonly emitLag: Histogram
  /** Streams by how they began; `result`: start, resumed, reset. */
  readonly resumes: Counter
  /** Connected clients; `kind`: sse, chat, websocket, sessions. */
  readonly clients: Gauge
  /** Bytes that wait for clients to read them. */
  readonly backlog: Gauge
  /** Clients that were disconnected because they did not read; `kind` as in `clients`. */
  readonly dropped: Counter
  readonly agentsRunning: Gauge
  readonly interactionSeconds: Histogram
  readonly approvalWait: Histogram
  readonly parserErrors: Counter
}

const quick = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const slow = [1, 5, 15, 30, 60, 300, 900, 3600, 14_400]

/** The metrics of a new server, all zero. */
export function createMetrics(): Metrics {
  const registry = createRegistry('dragoman_')
  const { counter, gauge, histogram } = registry
  return {
    registry,
    requests: counter('requests_total', 'Requests answered, by call and status.'),
    connectionsDropped: counter(
      'connections_dropped_total',
      'Connections refused because there were too many.',
    ),
    eventsSaved: counter('events_saved_total', 'Events saved, by type.'),
    saveSeconds: histogram('save_seconds', 'Time to save a batch of events.', quick),
    rawBytes: counter('raw_bytes', 'Bytes of native lines saved.'),
    emitLag: histogram(
      'emit_lag_seconds',
      'Time from the output of an agent, through saving, to the socket.',
      quick,
    ),
    resumes: counter('resume_total', 'Streams opened, by how they started.'),
    clients: gauge('clients', 'Open streams and sockets, by kind.'),
    backlog: gauge('backlog_bytes', 'Bytes waiting for readers.'),
    dropped: counter('dropped_slow_total', 'Connections closed because the client did not read, by kind.'),
    agentsRunning: gauge('agents_running', 'Agents connected, by agent.'),
    interactionSeconds: histogram('interaction_seconds', 'Duration of interactions, by outcome.', slow),
    approvalWait: histogram('approval_wait_seconds', 'Time that approvals waited, by outcome.', slow),
    parserErrors: counter('parser_errors_total', 'Native lines of an unknown kind, by agent.'),
  }
}
