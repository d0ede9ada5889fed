import type { ContextState, PairPlace } from './context-state.ts'
import type { Message, Part, ResultPart } from './formats/conversation.ts'
import { renderPart } from './render-part.ts'

/** The messages as they are sent. Unchanged messages are the same objects as in the last request. */
export function renderMessages(state: ContextState): readonly Message[] {
  for (const index of state.dirty) state.rendered[index] = renderMessage(state, index)
  state.dirty.clear()
  const missing = missingResults(state)
  if (missing.size === 0 && !state.rendered.includes(null)) return state.rendered.slice() as Message[]
  const messages: Message[] = []
  for (const [index, message] of state.rendered.entries()) {
    if (message !== null) messages.push(message)
    const added = missing.get(index)
    if (added !== undefined) messages.push(added)
  }
  return messages
}

function renderMessage(state: ContextState, index: number): Message | null {
  const placed = state.messages[index]
  if (placed === undefined) return null
  const { message } = placed
  const parts: Part[] = []
  for (const part of message.parts) {
    const rendered = renderPart(state, part, state.decisions.get(part.id) ?? null)
    if (rendered !== null) parts.push(rendered)
  }
  if (parts.length === 0 && message.parts.length > 0) return null
  const isSame =
    parts.length === message.parts.length && parts.every((part, at) => part === message.parts[at])
  return isSame ? message : { ...message, parts }
}

/** A provider refuses a call without a result: a missing result gets a synthetic one, always with the same text. */
function missingResults(state: ContextState): ReadonlyMap<number, Message> {
  const missing = new Map<number, PairPlace[]>()
  for (const pair of state.pending) {
    const { part } = pair.call
    if (part.kind === 'call' && part.isProviderExecuted) continue
    if (state.decisions.get(part.id)?.as === 'omitted') continue
    missing.set(pair.call.message, [...(missing.get(pair.call.message) ?? []), pair])
  }
  return new Map(Array.from(missing, ([index, pairs]) => [index, missingMessage(state, index, pairs)]))
}

function missingMessage(state: ContextState, index: number, pairs: readonly PairPlace[]): Message {
  const id = `${state.messages[index]?.message.id ?? ''}:missing`
  const known = state.missing.get(id)
  if (known?.parts.length === pairs.length) return known
  const message: Message = { id, role: 'tool', parts: pairs.map(missingResult) }
  state.missing.set(id, message)
  return message
}

const missingResult = ({ pair }: PairPlace): ResultPart => ({
  kind: 'result',
  id: `${pair.call}:missing`,
  call: pair.callId,
  tool: pair.tool,
  content: [{ kind: 'text', id: `${pair.call}:missing:text`, text: 'No result: the call was cut off.' }],
  isError: true,
})
