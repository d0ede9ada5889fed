import { isObject, listOf, textOf, type JsonObject } from '../acp/index.ts'
import { getIn } from '../kit/persistent-map.ts'
import { untitled } from './beside-chat.ts'
import { callsIn, contentIn, responsesIn, thoughtsIn, tokensIn, type ChatCall } from './messages.ts'
import { changeChat, newAnswer, passUpdate, type Chat, type Draft } from './state.ts'

/** Applies a line of the chat's file. */
export function applyChat(draft: Draft, line: JsonObject): void {
  const chat = draft.state.chat ?? newAnswer(new Set())
  changeChat(draft, {})
  const id = textOf(line['id'])
  if (id === undefined) return forget(draft, chat, line)
  if (chat.old.has(id)) return
  // Outside of an answer it is an old conversation.
  if (draft.state.acp.prompts.length === 0) return changeChat(draft, { old: new Set(chat.old).add(id) })
  const { type } = line
  if (type === 'gemini') applyModel(draft, id, line)
  else if (type === 'info' || type === 'warning' || type === 'error')
    passUpdate(draft, 'notice', { severity: type, title: contentIn(line) })
  else if (type === 'user') for (const call of responsesIn(line)) applyResponse(draft, call)
  else passUpdate(draft, `chat ${textOf(type) ?? ''}`, { message: line })
}

/** A patch may contain the whole conversation so far, which is an old one. */
function forget(draft: Draft, { old }: Chat, { $set: set }: JsonObject): void {
  const messages = listOf(isObject(set) ? set['messages'] : undefined).filter(isObject)
  const ids = messages.flatMap(({ id }) => textOf(id) ?? [])
  if (ids.length > 0) changeChat(draft, { old: new Set([...old, ...ids]) })
}

function applyModel(draft: Draft, id: string, message: JsonObject): void {
  const tokens = tokensIn(message)
  const chat = draft.state.chat ?? newAnswer(new Set())
  if (tokens !== null) changeChat(draft, { tokens: new Map(chat.tokens).set(id, tokens) })
  for (const thought of thoughtsIn(message)) addThought(draft, thought)
  settleText(draft, contentIn(message))
  for (const call of callsIn(message)) applyCall(draft, call)
}

function addThought(draft: Draft, thought: string): void {
  const { thoughts } = draft.state.chat ?? newAnswer(new Set())
  if (thoughts.has(thought)) return
  changeChat(draft, { thoughts: new Set(thoughts).add(thought) })
  passUpdate(draft, 'agent_thought_chunk', { content: { type: 'text', text: thought } })
}

/**
 * A broken model stream is tried again, and ACP sends the text of both attempts without a mark. The file has only the
 * text that counts: earlier text is retracted.
 */
function settleText(draft: Draft, content: string): void {
  const { steps } = draft.state.chat ?? newAnswer(new Set())
  const counts = content.trim()
  if (counts === '') return
  const same = steps.findIndex(({ text, isFinal }) => !isFinal && text.trim() === counts)
  const longer = steps.findLastIndex(({ text, isFinal }) => !isFinal && text.trim().endsWith(counts))
  const at = same === -1 ? longer : same
  const step = steps[at]
  if (step === undefined) return
  // The untrimmed text: the file trims.
  const text = same === -1 ? step.text.slice(step.text.lastIndexOf(counts)) : step.text
  changeChat(draft, { steps: steps.with(at, { ...step, text, isOver: true, isFinal: true }) })
  if (same === -1)
    passUpdate(draft, 'agent_message', { messageId: step.id, content: [{ type: 'text', text }] })
}

/** The result of a call that neither ACP nor the file has reported. */
function applyResponse(draft: Draft, { id, facts, status }: ChatCall): void {
  if (getIn(draft.state.acp.calls, id) === undefined)
    passUpdate(draft, 'tool_call', { toolCallId: id, ...facts, status })
}

/** What ACP does not send of a call: its name, its input, and most of its output. */
function applyCall(draft: Draft, { id, facts, status }: ChatCall): void {
  const { held, facts: known } = draft.state.chat ?? newAnswer(new Set())
  const over = held.get(id)
  if (over !== undefined) {
    const others = new Map(held)
    others.delete(id)
    changeChat(draft, { held: others })
    return passUpdate(draft, 'tool_call_update', { ...over, ...untitled(draft, id, facts) })
  }
  changeChat(draft, { facts: new Map(known).set(id, facts) })
  const call = getIn(draft.state.acp.calls, id)
  // ACP sends nothing about a tool that does not exist, or about a refused call.
  if (call === undefined || call.denied) {
    if (status !== null) passUpdate(draft, 'tool_call', { toolCallId: id, ...facts, status })
  } else passUpdate(draft, 'tool_call_update', { toolCallId: id, ...timely(call.status, facts) })
}

/** A running call may still get its name and input; an ended one only its output. */
function timely(status: string, { name, rawInput, rawOutput }: JsonObject): JsonObject {
  if (status === 'done') return rawOutput === undefined ? {} : { rawOutput }
  return { ...(name === undefined ? {} : { name }), ...(rawInput === undefined ? {} : { rawInput }) }
}
