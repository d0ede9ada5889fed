import { isObject, objectOf, textOf, type JsonObject } from '../acp/index.ts'
import { getIn } from '../kit/persistent-map.ts'
import { changeChat, newAnswer, pass, passUpdate, type Chat, type Draft, type Step } from './state.ts'

/** Applies an ACP message while the chat's file is read as well: what the file reports better waits for it. */
export function applyBesideChat(draft: Draft, chat: Chat, message: JsonObject): void {
  const { method } = message
  if (method === 'session/update') return applyUpdate(draft, chat, message)
  if (method === 'session/request_permission') {
    changeChat(draft, { steps: closed(chat.steps) })
    return pass(draft, 'agent', message)
  }
  const isEnd = method === undefined && isPromptReply(draft, message)
  if (isEnd) release(draft, chat)
  pass(draft, 'agent', isEnd ? withUsage(chat, message) : message)
  if (isEnd) changeChat(draft, newAnswer(withOld(draft.state.chat ?? chat)))
}

function isPromptReply({ state: { acp } }: Draft, { id }: JsonObject): boolean {
  return acp.prompts.some(prompt => prompt.id === JSON.stringify(id))
}

function withOld({ old, tokens }: Chat): ReadonlySet<string> {
  return new Set([...old, ...tokens.keys()])
}

function applyUpdate(draft: Draft, chat: Chat, message: JsonObject): void {
  const params = objectOf(message['params'])
  const update = objectOf(params['update'])
  const kind = update['sessionUpdate']
  if (draft.state.acp.prompts.length === 0) return pass(draft, 'agent', message)
  if (kind === 'agent_message_chunk') return applyText(draft, chat, message, params, update)
  if (kind === 'agent_thought_chunk') {
    const text = textOf(objectOf(update['content'])['text']) ?? ''
    changeChat(draft, { thoughts: new Set(chat.thoughts).add(text) })
  }
  if (kind === 'tool_call' || kind === 'tool_call_update') return applyCall(draft, chat, message, update)
  pass(draft, 'agent', message)
}

/** Names the text that a piece belongs to, so that it can be corrected as a whole. */
function applyText(
  draft: Draft,
  chat: Chat,
  message: JsonObject,
  params: JsonObject,
  update: JsonObject,
): void {
  const text = textOf(objectOf(update['content'])['text']) ?? ''
  const { steps } = chat
  const last = steps.at(-1)
  const goesOn = last !== undefined && !last.isOver
  const step: Step = goesOn
    ? { ...last, text: last.text + text }
    : { id: `text-${steps.length + 1}`, text, isOver: false, isFinal: false }
  changeChat(draft, { steps: goesOn ? steps.with(steps.length - 1, step) : [...steps, step] })
  pass(draft, 'agent', { ...message, params: { ...params, update: { ...update, messageId: step.id } } })
}

function closed(steps: readonly Step[]): readonly Step[] {
  const last = steps.at(-1)
  return last === undefined || last.isOver ? steps : steps.with(steps.length - 1, { ...last, isOver: true })
}

/** An ended call waits until the file has its input and output. */
function applyCall(draft: Draft, chat: Chat, message: JsonObject, update: JsonObject): void {
  changeChat(draft, { steps: closed(chat.steps) })
  const { toolCallId: id, status } = update
  const isOver = status === 'completed' || status === 'failed'
  if (!isOver || typeof id !== 'string') return pass(draft, 'agent', message)
  const facts = chat.facts.get(id)
  if (facts === undefined) return changeChat(draft, { held: new Map(chat.held).set(id, update) })
  passUpdate(draft, 'tool_call_update', { ...untitled(draft, id, facts), ...update })
}

/** The facts of a call in the file; the title from ACP stays. */
export function untitled({ state }: Draft, id: string, facts: JsonObject): JsonObject {
  const { title, ...rest } = facts
  return title === undefined || getIn(state.acp.calls, id)?.title !== undefined ? rest : facts
}

/** At the end of an answer nothing waits any more. */
function release(draft: Draft, { held }: Chat): void {
  for (const update of held.values()) passUpdate(draft, textOf(update['sessionUpdate']) ?? '', update)
}

/** The file has more figures than ACP: cache reads and thoughts. */
function withUsage({ tokens }: Chat, message: JsonObject): JsonObject {
  const { result } = message
  if (!isObject(result) || tokens.size === 0) return message
  const all = [...tokens.values()]
  const sum = (read: (each: (typeof all)[number]) => number) =>
    all.reduce((total, each) => total + read(each), 0)
  const usage = {
    inputTokens: sum(({ input, cached }) => input - cached),
    cachedReadTokens: sum(({ cached }) => cached),
    outputTokens: sum(({ output }) => output),
    thoughtTokens: sum(({ thoughts }) => thoughts),
    totalTokens: sum(({ total }) => total),
  }
  return { ...message, result: { ...result, usage } }
}
