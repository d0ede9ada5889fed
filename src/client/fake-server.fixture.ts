import type { Replied } from '../protocol/api/api.ts'
import { paths, type CallName } from '../protocol/api/paths.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Event } from '../protocol/event.ts'
import type { EntryId, InteractionId, ManipulationId, PromptId, SessionId } from '../protocol/ids.ts'
import type { PromptPart } from '../protocol/message.ts'
import { createApprovals } from '../projections/approvals.ts'
import { foldEntries } from '../projections/fold.ts'
import { createInteractions } from '../projections/interactions.ts'
import { createMessages } from '../projections/messages.ts'
import { project } from '../projections/projection.ts'
import { queue } from '../projections/queue.ts'
import { rules } from '../projections/rules.ts'
import { snapshotOf } from '../projections/snapshot.fixture.ts'
import { createWorkLog } from '../projections/work-log/work-log.ts'
import { summary } from '../projections/summary.ts'

type Received = {
  readonly params: Record<string, string>
  readonly query: URLSearchParams
  readonly body: unknown
}

/** Sends a frame to one client. */
export type Tell = (frame: object) => void

/** A server in memory that sends the same frames as ours, for one session and without a network. */
export interface FakeServer {
  readonly entries: readonly Entry[]
  /** Writes an event into the journal and sends it to the followers. */
  write(event: Event, id?: string): Entry
  /** Loses the last entries, as a machine that lost power does. */
  lose(count: number): void
  /** How often each prompt was begun. */
  readonly begun: ReadonlyMap<string, number>
  answer(method: string, url: URL, body: unknown): Response
  /** Handles a frame from a socket; `tell` sends frames back over that socket. */
  hear(frame: { readonly type: string; readonly session?: string; readonly after?: number }, tell: Tell): void
  /** The socket is gone. */
  leave(tell: Tell): void
  /** What the server shows, computed from all entries. */
  details(): Replied<'getSession'>
  approvals(): Replied<'listApprovals'>
}

const session = 's' as SessionId

/** Starts with a journal. */
export function createFakeServer(history: readonly Entry[] = []): FakeServer {
  let entries: readonly Entry[] = [...history]
  let made = 0
  const followers = new Map<Tell, number>()
  const begun = new Map<string, number>()

  const feed = (tell: Tell) => {
    const after = followers.get(tell) ?? 0
    const news = entries.slice(after)
    if (news.length === 0) return
    followers.set(tell, entries.length)
    // In pages, as ours sends them.
    for (let at = 0; at < news.length; at += 7)
      tell({ type: 'entries', session, entries: wire(news.slice(at, at + 7)) })
  }
  const server: FakeServer = {
    get entries() {
      return entries
    },
    begun,
    write(event, id = `e${++made}-${entries.length + 1}`) {
      const seq = entries.length + 1
      const entry: Entry = { session, seq, id: id as EntryId, at: Date.now(), event }
      entries = [...entries, entry]
      for (const tell of followers.keys()) feed(tell)
      return entry
    },
    lose(count) {
      entries = entries.slice(0, entries.length - count)
      for (const [tell, after] of followers) followers.set(tell, Math.min(after, entries.length))
    },
    answer: (method, url, body) => respond(server, method, url, body),
    hear(frame, tell) {
      if (frame.type === 'ping') tell({ type: 'pong' })
      if (frame.type === 'unfollow') followers.delete(tell)
      if (frame.type !== 'follow') return
      const { after = 0 } = frame
      if (after > entries.length) tell({ type: 'reset', session, head: entries.length })
      followers.set(tell, Math.min(after, entries.length))
      feed(tell)
      tell({ type: 'caught-up', session, seq: entries.length })
    },
    leave: tell => void followers.delete(tell),
    details: () => detailsOf(entries),
    approvals: () => approvalsOf(entries),
  }
  return server
}

const wire = (entries: readonly Entry[]) => JSON.parse(JSON.stringify(entries)) as readonly Entry[]

function detailsOf(entries: readonly Entry[]): Replied<'getSession'> {
  const found = project(summary, entries)
  if (found === null) throw new Error('no session')
  const { session: id, pending, spending: _, ...rest } = found
  const waiting = project(queue, entries).map(each => ({ ...each, parts: [...each.parts], held: false }))
  const [created] = entries.flatMap(({ event }) => (event.type === 'session-created' ? [event] : []))
  const options = created?.options ?? null
  return { ...rest, id, pending: pending.length, options, queue: waiting, trouble: null }
}

function approvalsOf(entries: readonly Entry[]): Replied<'listApprovals'> {
  const running = project(summary, entries)?.running ?? null
  const all = foldEntries(createApprovals(), entries)
  const shown = all.filter(
    each => each.status === 'pending' || (running && each.requested.seq >= running.seq),
  )
  return JSON.parse(
    JSON.stringify({ approvals: shown, rules: project(rules, entries) }),
  ) as Replied<'listApprovals'>
}

type Handler = (server: FakeServer, received: Received) => object | Response

const handlers: Partial<Record<CallName, Handler>> = {
  getSession: server => server.details(),
  listApprovals: server => server.approvals(),
  getSnapshot(server, { query }) {
    const limit = Number(query.get('limit') ?? 50)
    const seed = snapshotOf(server.entries, limit)
    const main = seed.messages.filter(({ thread }) => thread === null)
    const all = foldEntries(createMessages(), server.entries).get(null) ?? []
    const next = all.length > main.length ? (main[0]?.firstSeq ?? null) : null
    return { ...seed, session: server.details(), next }
  },
  listMessages(server, { query }) {
    const before = Number(query.get('before') ?? Number.MAX_SAFE_INTEGER)
    const limit = Number(query.get('limit') ?? 50)
    const all = (foldEntries(createMessages(), server.entries).get(null) ?? []).filter(
      each => each.firstSeq < before,
    )
    const page = all.slice(-limit)
    const next = all.length > page.length ? (page[0]?.firstSeq ?? null) : null
    return { messages: page.map(({ message }) => message), next, asOf: server.entries.length }
  },
  listWorkLog: server => ({
    entries: foldEntries(createWorkLog(), server.entries),
    next: null,
    asOf: server.entries.length,
  }),
  listInteractions: server => ({
    interactions: foldEntries(createInteractions(), server.entries).map(({ id, validity }) => ({
      id,
      validity: validity.state,
    })),
    next: null,
    asOf: server.entries.length,
  }),
  listManipulations: server => ({
    manipulations: server.entries.flatMap(({ seq, event }) =>
      event.type === 'manipulation-rolled-back' ? [{ id: event.rollback, seq, kind: 'rolled-back' }] : [],
    ),
    next: null,
    asOf: server.entries.length,
  }),
  getContext: server => ({ policy: 'safe', asOf: server.entries.length }),
  rollBack(server, { body }) {
    const { manipulations = [] } = body as { readonly manipulations?: readonly ManipulationId[] }
    const rollback = `r${server.entries.length}` as ManipulationId
    const { seq } = server.write({
      type: 'manipulation-rolled-back',
      rollback,
      manipulations,
      actor: { kind: 'person', name: 'person' },
      reason: '',
    })
    return { rollback, manipulations, seq }
  },
  listEntries: (server, { query }) => streamOf(server, Number(query.get('after') ?? 0)),
  listSessions: server => ({ sessions: [server.details()], next: null }),
  prompt: takePrompt,
}

/** A prompt that is known is not begun again. */
function takePrompt(server: FakeServer, { body }: Received): object {
  const { id, parts } = body as { readonly id: PromptId; readonly parts: readonly PromptPart[] }
  const first = server.entries.find(({ event }) => 'prompt' in event && event.prompt === id)
  if (first !== undefined) return { id, interaction: null, queued: false, repeated: true, seq: first.seq }
  const counted = server.begun as Map<string, number>
  counted.set(id, (counted.get(id) ?? 0) + 1)
  const interaction = `i-${id}` as InteractionId
  const { seq } = server.write({
    type: 'interaction-started',
    interaction,
    trigger: 'user',
    agent: 'scripted',
    prompt: id,
    parts,
  })
  server.write({ type: 'interaction-ended', interaction, outcome: 'finished', reason: null, chunks: [] })
  return { id, interaction, queued: false, repeated: false, seq }
}

function streamOf(server: FakeServer, asked: number): Response {
  const encoder = new TextEncoder()
  let tell: Tell = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      tell = frame => {
        const {
          type,
          entries = [],
          head,
        } = frame as { type: string; entries?: readonly Entry[]; head?: number }
        if (type === 'reset')
          controller.enqueue(encoder.encode(`event: reset\ndata: ${JSON.stringify({ head })}\n\n`))
        for (const entry of entries)
          controller.enqueue(encoder.encode(`id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`))
      }
      server.hear({ type: 'follow', session, after: asked }, tell)
    },
    cancel: () => server.leave(tell),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

function respond(server: FakeServer, method: string, url: URL, body: unknown): Response {
  for (const [name, path] of Object.entries(paths)) {
    const [verb, pattern = ''] = path.split(' ')
    const match = new RegExp(`^${pattern.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(url.pathname)
    const handler = handlers[name as CallName]
    if (verb !== method || match === null || handler === undefined) continue
    const made = handler(server, { params: { ...match.groups }, query: url.searchParams, body })
    return made instanceof Response ? made : Response.json(made)
  }
  const problem = { code: 'unknown-path', detail: `Nothing is at ${method} ${url.pathname}.`, status: 404 }
  return Response.json(problem, { status: 404 })
}
