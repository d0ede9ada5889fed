import type { Received } from '../../protocol/api/api.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Raw } from '../../protocol/event.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { ServerParts } from '../server-parts.ts'
import { reply } from '../responses.ts'
import { openEntriesStream } from '../streams/entries-stream.ts'
import { openTexts } from '../streams/entry-texts.ts'
import type { Handlers } from './handler.ts'

const pageOfEntries = 1000
/** A page ends early when it gets this long. The client asks for the rest. */
const mostCharacters = 8 << 20

/** Calls about the entries of a session. */
export const entries: Handlers<'listEntries' | 'getRaw'> = {
  async listEntries(server, received, { headers }) {
    const { params, query } = received
    const session = params.session as SessionId
    await server.sessions.get(session, { deleted: query.deleted ?? false })
    if (wantsStream(headers)) return openEntriesStream(server, received, headers.get('last-event-id'))
    const texts = await readPage(server, received)
    const head = await server.journal.head(session)
    // The texts are JSON as it was saved, so nothing is parsed.
    return reply(200, 'application/json', `{"entries":[${texts.join(',')}],"head":${head}}`)
  },
  async getRaw(server, { params, query }) {
    const session = params.session as SessionId
    await server.sessions.get(session, { deleted: query.deleted ?? false })
    const [entry] = params.seq === 0 ? [] : await server.journal.read(session, params.seq - 1, 1)
    const event = entry?.event
    if (event?.type === 'agent-spoke' || event?.type === 'host-spoke') return rawReply(server, event)
    const why = event === undefined ? 'does not exist' : `is of type "${event.type}"`
    throw new DragomanError('unknown-entry', `Entry ${params.seq} ${why}, so it has no native line.`)
  },
}

const wantsStream = (headers: Headers) => /\btext\/event-stream\b/i.test(headers.get('accept') ?? '')

async function readPage(
  server: ServerParts,
  { params, query }: Received<'listEntries'>,
): Promise<readonly string[]> {
  const { after = 0, limit = pageOfEntries } = query
  const read = await openTexts(server, params.session as SessionId, after, query)
  const texts: string[] = []
  let characters = 0
  while (texts.length < limit && characters < mostCharacters) {
    const more = await read(after + texts.length, Math.min(limit - texts.length, 256))
    if (more.length === 0) break
    for (const text of more) {
      texts.push(text)
      characters += text.length
    }
  }
  return texts
}

/** The line is looked up before the reply starts, so that a missing one is an error. */
async function rawReply({ options }: ServerParts, raw: Raw): Promise<Response> {
  const pieces = options.rawBytes(raw)[Symbol.asyncIterator]()
  const first = await pieces.next()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (first.done !== true) controller.enqueue(first.value)
    },
    async pull(controller) {
      const next = await pieces.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    async cancel() {
      await pieces.return?.()
    },
  })
  return reply(200, 'application/octet-stream', body)
}
