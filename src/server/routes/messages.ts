import type { SessionId } from '../../protocol/ids.ts'
import type { Message, MessagePart } from '../../protocol/message.ts'
import { flatMessages } from '../../sessions/view/flat-messages.ts'
import type { Handlers } from './handler.ts'
import { showDetails } from './show-session.ts'

const pageOfMessages = 100

/** The messages of a session. */
export const messages: Handlers<'getSnapshot' | 'listMessages'> = {
  async getSnapshot({ sessions }, { params, query }) {
    const { limit = pageOfMessages, deleted = false } = query
    const snapshot = await sessions.snapshot(params.session as SessionId, { limit, deleted })
    return {
      ...snapshot,
      session: showDetails(snapshot.session, sessions),
    }
  },
  async listMessages({ sessions }, { params, query }) {
    const { limit = pageOfMessages, thread = null, before, exclude, deleted = false, as } = query
    const filter = {
      thread,
      limit,
      ...(before !== undefined && { before }),
      ...(exclude === 'running' && { excludeRunning: true }),
    }
    const session = params.session as SessionId
    const { messages: found, next, asOf } = await sessions.messages(session, filter, { deleted })
    const shown = found.map(({ message, firstSeq }) => ({ message: showMessage(message), firstSeq }))
    if (as === undefined) return { messages: shown.map(({ message }) => message), next, asOf }
    const legacy = thread === null ? await sessions.legacy(session, { deleted }) : null
    const page = { messages: shown, isFromStart: next === null, legacy }
    return { messages: [], next, asOf, ...flatMessages(page, as) }
  },
}

/**
 * Converts a stored message for clients of the AI SDK, which accept an approval only in some states: a denied call must be
 * `output-denied`, and a call that ended without an answer must not contain an approval.
 */
const showMessage = (message: Message): Message => ({
  ...message,
  parts: message.parts.map(showPart),
})

function showPart(part: MessagePart): MessagePart {
  if (part.type !== 'dynamic-tool') return part
  if (part.state !== 'output-error' && part.state !== 'output-available') return part
  const { approval, ...rest } = part
  if (approval === undefined || approval.approved === true) return part
  if (part.state === 'output-available' || approval.approved !== false) return rest
  const { errorText, rawInput: _raw, resultProviderMetadata: _result, ...call } = part
  const reason = approval.reason ?? errorText
  return { ...call, input: call.input ?? null, state: 'output-denied', approval: { ...approval, reason } }
}
