import type { Caller } from '../../client/call.ts'
import { readEvents } from '../../client/follow/read-events.ts'
import { UnreachableError } from '../../client/refusal.ts'
import type { Sent } from '../../protocol/api/api.ts'
import type { Entry } from '../../protocol/entry.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { ServerEvent } from '../../protocol/server-sent-events.ts'
import { wait } from '../../sessions/wait.ts'
import type { FollowOptions } from './sessions-api.ts'
import type { ServerLine } from './server-line.ts'

/** The server sends a heartbeat every 15 s. */
const silenceMs = 45_000
const openMs = 30_000

/** Every entry of a session above `after`, in order and once, through cuts of the stream and restarts of the server. */
export async function* followServer(
  line: ServerLine,
  session: SessionId,
  after: number,
  options: FollowOptions,
  betweenMs = 100,
): AsyncGenerator<readonly Entry[], void, undefined> {
  const { signal } = options
  let seq = after
  while (!signal.aborted) {
    for await (const events of openStream(line, session, seq, options)) {
      const entries = inOrder(
        seq,
        events.flatMap(event => entriesIn(event, session, seq)),
      )
      if (entries === null) break
      seq += entries.length
      if (entries.length > 0) yield entries
    }
    await wait(betweenMs, signal)
  }
}

/** What a server sends until the stream ends. The caller then opens a new stream. */
async function* openStream(
  line: ServerLine,
  session: SessionId,
  after: number,
  { signal, raw, patient = false }: FollowOptions,
): AsyncGenerator<readonly ServerEvent[], void, undefined> {
  const sent = { params: { session }, query: { after: String(after), raw: raw ? '1' : '0' } } as const
  try {
    const response = await line.attempt(caller => openInTime(caller, sent, signal), { signal, patient })
    yield* readEvents(response, silenceMs)
  } catch (error) {
    // A refusal is final; after a broken connection, everything can be loaded again.
    if (error instanceof DragomanError) throw error
  }
}

async function openInTime(caller: Caller, sent: Sent<'listEntries'>, signal: AbortSignal): Promise<Response> {
  const late = new AbortController()
  const reason = new UnreachableError('The server did not answer in time.', null)
  const timer = setTimeout(() => late.abort(reason), openMs)
  try {
    const headers = { accept: 'text/event-stream' }
    return await caller.request('listEntries', sent, {
      headers,
      signal: AbortSignal.any([signal, late.signal]),
    })
  } finally {
    clearTimeout(timer)
  }
}

function entriesIn({ event, data }: ServerEvent, session: SessionId, after: number): readonly Entry[] {
  if (event === 'gone') throw new DragomanError('unknown-session', `Session ${session} was deleted.`)
  if (event === 'reset') throw cursorAhead(after, (JSON.parse(data ?? '{}') as { head?: number }).head ?? 0)
  return event === undefined && data !== undefined ? [JSON.parse(data) as Entry] : []
}

/** The next entries; null if one is missing. */
function inOrder(after: number, entries: readonly Entry[]): readonly Entry[] | null {
  const fresh = entries.filter(({ seq }) => seq > after)
  return fresh.every(({ seq }, index) => seq === after + index + 1) ? fresh : null
}

const cursorAhead = (after: number, head: number) =>
  new DragomanError(
    'cursor-ahead',
    `The cursor ${after} is beyond the end of the session, which has ${head} entries. Follow from ${head} or from 0.`,
    { head },
  )
