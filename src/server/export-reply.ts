import type { InteractionId, SessionId } from '../protocol/ids.ts'
import type { ExportLine } from '../sessions/view/export-interaction.ts'
import type { Reading } from '../sessions/view/read-session.ts'
import type { ServerParts } from './server-parts.ts'
import { definedIn } from '../protocol/json.ts'
import { reply } from './responses.ts'

/** A native line that is stored in a file follows its entry in pieces. */
type Line = ExportLine | { readonly type: 'raw'; readonly seq: number; readonly base64: string }

/** One interaction as JSON lines. Errors are reported before the first byte is sent. */
export async function exportReply(
  server: ServerParts,
  session: SessionId,
  interaction: InteractionId,
  reading: { readonly deleted?: boolean | undefined },
): Promise<Response> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  const begun = Promise.withResolvers<void>()
  const write = async (line: Line) => {
    begun.resolve()
    await writer.write(encoder.encode(`${JSON.stringify(line)}\n`))
  }
  const options: Reading = definedIn(reading)
  server.sessions
    .exportInteraction(session, interaction, line => writeWhole(server, line, write), options)
    .then(() => writer.close())
    .catch(async (error: unknown) => {
      begun.reject(error)
      // The client may have disconnected, which is not an error.
      await writer.abort(error).catch(() => {})
    })
  await begun.promise
  return reply(200, 'application/x-ndjson', readable)
}

async function writeWhole(
  { options }: ServerParts,
  line: ExportLine,
  write: (line: Line) => Promise<void>,
): Promise<void> {
  await write(line)
  if (line.type !== 'entry') return
  const { event, seq } = line.entry
  if (!('rawFile' in event) || event.rawFile === undefined) return
  for await (const piece of options.rawBytes(event))
    await write({ type: 'raw', seq, base64: Buffer.from(piece).toString('base64') })
}
