import type { Chunk, Thread } from '../../../protocol/chunk.ts'
import { emptyMap, getIn, setIn } from '../persistent-map.ts'
import type { Ending, WholePart } from './op.ts'
import { changeMessage, changeThread, emit, threadOf, type Draft, type MessageState } from './state.ts'

/** The thread's open message; it is begun if there is none. */
export function openMessage(draft: Draft, thread: Thread): MessageState {
  return threadOf(draft, thread).message ?? begun(draft, thread)
}

/** Reopens the newest message, to continue it as if it had not finished; without one, nothing happens. */
export function resumeMessage(draft: Draft, thread: Thread): void {
  const { message, last } = threadOf(draft, thread)
  if (message || !last) return
  emit(draft, thread, { type: 'start', messageId: last.id })
  changeThread(draft, thread, { message: last })
}

function begun(draft: Draft, thread: Thread): MessageState {
  const { connection, messages, session, sessionShown } = draft.parts
  const { agent, agentSession, model } = session
  const message: MessageState = {
    id: `${connection}.${messages + 1}`,
    parts: 0,
    step: 0,
    inStep: false,
    open: [],
    closed: emptyMap(),
    waiting: emptyMap(),
    waitingCalls: 0,
    data: emptyMap(),
  }
  draft.parts = { ...draft.parts, messages: messages + 1 }
  changeThread(draft, thread, { message })
  emit(draft, thread, {
    type: 'start',
    messageId: message.id,
    messageMetadata: { agent, agentSession, model },
  })
  return thread === null && !sessionShown ? showSession(draft) : message
}

/** Shows the session in the main thread. */
export function showSession(draft: Draft): MessageState {
  draft.parts = { ...draft.parts, sessionShown: true }
  return show(draft, null, { type: 'data-session', id: 'session', data: draft.parts.session })
}

/** The thread's open message with an open step, for parts that must be in a step. */
export function openStep(draft: Draft, thread: Thread): MessageState {
  const message = openMessage(draft, thread)
  if (message.inStep) return message
  emit(draft, thread, { type: 'start-step' })
  const { parts, step } = message
  return changeMessage(draft, thread, message, { inStep: true, step: step + 1, parts: parts + 1 })
}

/** Emits a whole part in the open message, and counts it unless it replaces an earlier one. */
export function show(draft: Draft, thread: Thread, chunk: WholePart): MessageState {
  const message = openMessage(draft, thread)
  emit(draft, thread, chunk)
  const name = 'id' in chunk ? `${chunk.type} ${chunk.id}` : undefined
  if (name !== undefined && getIn(message.data, name)) return message
  const data = name === undefined ? message.data : setIn(message.data, name, true)
  return changeMessage(draft, thread, message, { parts: message.parts + 1, data })
}

/** Ends the open step, if there is one. Nothing may be open in it any more. */
export function endStep(draft: Draft, thread: Thread): void {
  const { message } = threadOf(draft, thread)
  if (!message?.inStep) return
  emit(draft, thread, { type: 'finish-step' })
  changeMessage(draft, thread, message, { inStep: false })
}

/** Adds to the open message, or to the newest one (reopened), or to a new message. */
export function visit(draft: Draft, thread: Thread, work: () => void): void {
  const { message, last, endings } = threadOf(draft, thread)
  if (message) return work()
  if (!last) {
    openMessage(draft, thread)
    work()
    return finishMessage(draft, thread, { reason: 'finished', finishReason: 'other' })
  }
  emit(draft, thread, { type: 'start', messageId: last.id })
  changeThread(draft, thread, { message: last })
  work()
  endStep(draft, thread)
  emit(draft, thread, { type: 'finish', finishReason: getIn(endings, last.id) ?? 'other' })
  changeThread(draft, thread, { message: null, last: threadOf(draft, thread).message })
  deliverLate(draft, thread)
}

/** Emits a chunk in the message it belongs to. While another message is open in that thread, the chunk waits for its finish. */
export function deliver(draft: Draft, thread: Thread, id: string, chunk: Chunk, name: string | null): void {
  const { message, last, late } = threadOf(draft, thread)
  const add = () => (isWhole(chunk) ? void show(draft, thread, chunk) : emit(draft, thread, chunk))
  if (message?.id === id) return add()
  if (!message && last?.id === id) return visit(draft, thread, add)
  const news = { message: id, name, chunk }
  const at = late.findIndex(each => name !== null && each.message === id && each.name === name)
  // The newest replaces the first.
  changeThread(draft, thread, { late: at === -1 ? [...late, news] : late.with(at, news) })
  if (!message) deliverLate(draft, thread)
}

function isWhole(chunk: Chunk): chunk is WholePart {
  return chunk.type.startsWith('data-')
}

function deliverLate(draft: Draft, thread: Thread): void {
  const { late, endings } = threadOf(draft, thread)
  if (late.length === 0) return
  for (const [messageId, news] of Map.groupBy(late, ({ message }) => message)) {
    emit(draft, thread, { type: 'start', messageId })
    for (const { chunk } of news) emit(draft, thread, chunk)
    emit(draft, thread, { type: 'finish', finishReason: getIn(endings, messageId) ?? 'other' })
  }
  changeThread(draft, thread, { late: [] })
}

/** Finishes the open message. Its parts must be closed by now. */
export function finishMessage(draft: Draft, thread: Thread, ending: Ending): void {
  const message = openMessage(draft, thread)
  endStep(draft, thread)
  const { reason, cost, tokens, duration, error, metadata } = ending
  const finishReason = (reason === 'finished' && ending.finishReason) || finishReasons[reason]
  const messageMetadata = {
    ...metadata,
    reason,
    // Stored messages have no finish reason otherwise, and readers must see that the message is incomplete.
    ...(finishReason === 'length' || finishReason === 'content-filter' ? { finishReason } : {}),
    ...(cost === undefined ? {} : { cost }),
    ...(tokens === undefined ? {} : { tokens: { ...tokens } }),
    ...(duration === undefined ? {} : { duration }),
    ...(error === undefined ? {} : { error: { ...error } }),
  }
  if (error !== undefined && reason === 'failed') {
    // The AI SDK's client stops reading at an error, so the metadata comes before it.
    emit(draft, thread, { type: 'message-metadata', messageMetadata })
    emit(draft, thread, { type: 'error', errorText: error.message })
  }
  emit(draft, thread, { type: 'finish', finishReason, messageMetadata })
  const { endings, message: last } = threadOf(draft, thread)
  changeThread(draft, thread, { message: null, last, endings: setIn(endings, message.id, finishReason) })
  deliverLate(draft, thread)
}

const finishReasons = { finished: 'stop', interrupted: 'other', failed: 'error' } as const
