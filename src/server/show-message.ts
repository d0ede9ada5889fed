import type { Message, MessagePart } from '../protocol/message.ts'

/**
 * A stored message as the AI SDK's clients take it. They know an answer to an approval only in some states: a call that
 * was denied must be `output-denied`, and one that ended unasked must not have asked.
 */
export const showMessage = (message: Message): Message => ({
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
