import type { Entry } from '../../src/protocol/entry.ts'
import type { SessionId } from '../../src/protocol/ids.ts'

/** What a version of Dragoman gives for one session. */
export interface SessionReading {
  readonly session: string
  readonly entries: readonly Entry[]
  /** The replies of the calls that read a session, by path. */
  readonly replies: Readonly<Record<string, string>>
  /** The stream that `useChat` gets, by prompt. */
  readonly streams: Readonly<Record<string, string>>
}

/** The part of a journal that reads entries. A read may give fewer entries than its limit. */
interface EntryReader {
  head(session: SessionId): Promise<number>
  read(session: SessionId, after: number, limit: number): Promise<readonly Entry[]>
}

/** What the reading needs of a server; the server of every version has it. */
export interface Readable {
  readonly journal: EntryReader
  readonly handler: (request: Request) => Promise<Response>
  readonly token: string
}

/** The host name that servers of this test accept. */
export const host = 'dragoman.test:4400'

/** Calls a server without a port; a failure is an error. */
export async function call(
  { handler, token }: Pick<Readable, 'handler' | 'token'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const request = new Request(`http://${host}${path}`, {
    method,
    headers,
    body: JSON.stringify(body) ?? null,
  })
  const response = await handler(request)
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} failed with ${response.status}: ${text}`)
  return text
}

const calls = [
  'messages?limit=1000',
  'interactions?limit=500',
  'work-log?limit=500',
  'manipulations?limit=500',
] as const

/** Reads a session with every call whose reply must never change, and streams its prompts again. */
export async function readSession(server: Readable, session: string): Promise<SessionReading> {
  const replies: Record<string, string> = {}
  for (const each of calls)
    replies[each] = await call(server, 'GET', `/api/sessions/${session}/${each}&deleted=1`)
  const entries = await readEntries(server.journal, session)
  const streams: Record<string, string> = {}
  for (const { id, parts } of sentHere(session, entries)) {
    // The same prompt again is not a new prompt: the server streams the saved answer.
    const messages = [{ id, role: 'user', parts }]
    streams[id] = await call(server, 'POST', '/api/chat', { id: session, messages })
  }
  return { session, entries, replies, streams }
}

/** All entries of a session. */
export async function readEntries(journal: EntryReader, session: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  const head = await journal.head(session as SessionId)
  while (entries.length < head)
    entries.push(...(await journal.read(session as SessionId, entries.length, head)))
  return entries
}

/** The prompts that were sent to a session itself, unless it is deleted; those of a branch came from another session. */
const sentHere = (session: string, entries: readonly Entry[]) =>
  entries.some(({ event }) => event.type === 'session-deleted')
    ? []
    : entries.flatMap(({ event }) =>
        event.type === 'interaction-started' && event.prompt?.startsWith(`${session}:`) === true
          ? [{ id: event.prompt, parts: event.parts }]
          : [],
      )
