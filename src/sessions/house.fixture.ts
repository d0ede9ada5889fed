import { expect, onTestFinished } from 'vitest'
import type { Agent } from '../agents/agent.ts'
import { sessionState } from '../catalogue/session-state.ts'
import { createCatalogue } from '../catalogue/sqlite/sqlite-catalogue.fixture.ts'
import { createBell } from '../journal/bell.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import { createMemoryJournal } from '../journal/memory.ts'
import { project } from '../projections/projection.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf, type Event, type EventOf } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import { openParts } from '../protocol/open-parts.ts'
import { assertWellFormed } from '../protocol/well-formed.ts'
import type { Reply } from './commands/reply.ts'
import { openSessions, type Sessions, type SessionsOptions } from './sessions.ts'

/** A journal, a catalogue and sessions, as in one process. */
export interface House {
  readonly journal: Journal
  readonly bell: Bell
  readonly sessions: Sessions
  readonly options: SessionsOptions
  /** All entries of a session. */
  entries(session: SessionId): Promise<readonly Entry[]>
  events<Type extends Event['type']>(session: SessionId, type: Type): Promise<readonly EventOf<Type>[]>
  create(session?: string): Promise<SessionId>
  prompt(session: SessionId, text: string, id?: string): Promise<Reply<'prompt'>>
  /** Opens the sessions again on the same journal and catalogue, as after a crash. */
  reopen(more?: Partial<SessionsOptions>): Promise<House>
}

/** All items of an async iterable. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Sessions on a journal in memory and a catalogue in SQLite. */
export async function openHouse(
  agents: readonly Agent[],
  more: Partial<SessionsOptions> & { readonly wrap?: (journal: Journal) => Journal } = {},
): Promise<House> {
  const bell = createBell()
  const { wrap = (journal: Journal) => journal, ...rest } = more
  const memory = createMemoryJournal(bell)
  const created = new Set<SessionId>()
  onTestFinished(async () => {
    for (const session of created) assertSound(await memory.read(session, 0, 1_000_000))
  })
  const journal = wrap({
    ...memory,
    create(session, events, times) {
      created.add(session)
      return memory.create(session, events, times)
    },
  })
  const catalogue = createCatalogue()
  return openAgain(bell, { journal, catalogue, agents, dataFolder: '/nowhere', ...rest })
}

/** Open parts belong to a connected agent. When they are closed, the stream is well formed. */
function assertSound(entries: readonly Entry[]): void {
  const state = project(sessionState, entries)
  if (state === null) return
  const { connections, open } = state
  if (connections.length === 0) expect(open.messages).toEqual([])
  const rest = openParts.closeAll(open, { errorText: 'The test is over.', reason: 'interrupted' })
  assertWellFormed([...entries.flatMap(({ event }) => chunksOf(event)), ...rest])
}

async function openAgain(bell: Bell, options: SessionsOptions): Promise<House> {
  const { journal } = options
  const sessions = await openSessions(options)
  const entries = async (session: SessionId) => journal.read(session, 0, 1_000_000)
  return {
    journal,
    bell,
    sessions,
    options,
    entries,
    async events<Type extends Event['type']>(session: SessionId, type: Type) {
      const all = (await entries(session)).map(({ event }) => event)
      return all.filter((event): event is EventOf<Type> => event.type === type)
    },
    async create(session) {
      const reply = await sessions.execute({
        type: 'create',
        agent: 'puppet',
        cwd: '/',
        ...(session !== undefined && { session }),
      })
      return reply.session
    },
    prompt: (session, text, id) =>
      sessions.execute({
        type: 'prompt',
        session,
        parts: [{ type: 'text', text }],
        ...(id !== undefined && { prompt: id }),
      }),
    reopen: again => openAgain(bell, { ...options, ...again }),
  }
}
