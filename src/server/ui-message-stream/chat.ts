import type { Received } from '../../protocol/api/api.ts'
import type { SessionId } from '../../protocol/ids.ts'
import type { House } from '../house.ts'
import type { Streamed } from '../streamed.ts'
import { eventStreamHeaders, openEventStream } from '../streams/event-stream.ts'
import type { Sink } from '../streams/sink.ts'
import type { ChatPlan } from './chat-plan.ts'
import { planChat } from './plan-chat.ts'
import { planResume } from './plan-resume.ts'
import { runChat } from './run-chat.ts'

/** Does what the last message of a chat asks for, and streams the answer as the AI SDK reads it. */
export async function openChat(
  house: House,
  { body, query }: Received<'chat'>,
  headers: Headers,
): Promise<Streamed> {
  return streamOf(house, await planChat(house, body, query.dialect), headers)
}

/** Streams what runs in a chat, from its start; 204 when nothing does. */
export async function resumeChat(
  house: House,
  { params, query }: Received<'resumeChat'>,
  headers: Headers,
): Promise<Streamed | { readonly status: 204 }> {
  const plan = await planResume(house, params.session as SessionId, query.dialect)
  return plan === null ? { status: 204 } : streamOf(house, plan, headers)
}

const responseHeaders = { ...eventStreamHeaders, 'x-vercel-ai-ui-message-stream': 'v1' }

/** A broken stream would look like success to the client, so the end is marked by a last chunk. */
const streamOf = (house: House, plan: ChatPlan, headers: Headers): Streamed => ({
  headers: responseHeaders,
  endsByClosing: false,
  run: sink => tell(house, plan, sink, headers.get('prefer') === 'positions'),
})

/**
 * A client that prefers to know is told, after each batch, up to which entry it has all: cut off, it can go on from there
 * in the journal.
 */
function tell(house: House, plan: ChatPlan, sink: Sink, tellsPositions: boolean): void {
  const chat = runChat(house, plan, {
    send: (chunks, seq) =>
      events.send(
        chunks.map(chunk => `data: ${chunk}\n\n`).join('') + (tellsPositions ? `id: ${seq}\n\n` : ''),
      ),
    finish: () => events.close('data: [DONE]\n\n'),
    cut: () => events.cut(),
  })
  const events = openEventStream(house, sink, {
    kind: 'chat',
    drained: () => chat.drained(),
    gone: () => chat.stop(),
    farewell() {
      // A running interaction ends with the server, and the stream reports it. A queued one would wait in vain.
      if (chat.isWaiting()) sink.cut()
      return null
    },
  })
  chat.start()
}
