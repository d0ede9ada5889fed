import type { Received } from '../../protocol/api/api.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Streamed } from '../streams/sink.ts'
import { eventStreamHeaders, openEventStream } from '../streams/event-stream.ts'
import type { Sink } from '../streams/sink.ts'
import type { ChatPlan } from './chat-plan.ts'
import { planChat, planResume } from './plan-chat.ts'
import { runChat } from './run-chat.ts'

/** Executes the last message of a chat, and streams the answer for the AI SDK. */
export async function openChat(
  server: ServerParts,
  { body, query }: Received<'chat'>,
  headers: Headers,
): Promise<Streamed> {
  return streamOf(server, await planChat(server, body, query.dialect), headers)
}

/** Streams the running answer of a chat from its start; 204 if nothing runs. */
export async function resumeChat(
  server: ServerParts,
  { params, query }: Received<'resumeChat'>,
  headers: Headers,
): Promise<Streamed | { readonly status: 204 }> {
  const plan = await planResume(server, params.session as SessionId, query.dialect)
  return plan === null ? { status: 204 } : streamOf(server, plan, headers)
}

const responseHeaders = { ...eventStreamHeaders, 'x-vercel-ai-ui-message-stream': 'v1' }

/** A broken stream would look like success to the client, so the end is marked by a last chunk. */
const streamOf = (server: ServerParts, plan: ChatPlan, headers: Headers): Streamed => ({
  headers: responseHeaders,
  endsByClosing: false,
  run: sink => stream(server, plan, sink, headers.get('prefer') === 'positions'),
})

/** Streams a chat. If the client asks for positions, each batch ends with the entry number from which it can continue. */
function stream(server: ServerParts, plan: ChatPlan, sink: Sink, withPositions: boolean): void {
  const chat = runChat(server, plan, {
    send: (chunks, seq) =>
      events.send(
        chunks.map(chunk => `data: ${chunk}\n\n`).join('') + (withPositions ? `id: ${seq}\n\n` : ''),
      ),
    finish: () => events.close('data: [DONE]\n\n'),
    cut: () => events.cut(),
  })
  const events = openEventStream(server, sink, {
    kind: 'chat',
    drained: () => chat.drained(),
    gone: () => chat.stop(),
    farewell() {
      // A running interaction ends with the server, and the stream reports it. A queued one would never start.
      if (chat.isWaiting()) sink.cut()
      return null
    },
  })
  chat.start()
}
