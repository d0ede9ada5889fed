import type { Tokens } from '../../protocol/data-parts.ts'
import type { ConnectionId, PromptId } from '../../protocol/ids.ts'
import type { PromptPart } from '../../protocol/message.ts'
import { isObject, listOf, objectOf, textOf, type JsonObject } from '../acp/index.ts'
import type { RawMessage, Translation } from '../agent.ts'
import { deniedApproval, isPause, ownLineIn, type TranscriptPrompt } from '../importer.ts'
import type { Op } from '../kit/parts.ts'
import { callIn } from '../kit/parts/look.ts'
import { noticeOf, readJson, unknownOf } from '../kit/parse-json.ts'
import {
  ask,
  finish,
  noteTime,
  initialRetelling,
  note,
  pause,
  say,
  showUsage,
  type Retelling,
  type Teller,
} from '../kit/retelling.ts'
import { timeIn } from '../kit/time-in.ts'
import { callsIn, contentIn, responsesIn, thoughtsIn, tokensIn, type ChatCall } from './messages.ts'

/** The state of a chat's file. Immutable. */
export interface TranscriptState {
  readonly retelling: Retelling
  /** The messages so far, each with its last version and the answer that it belongs to. */
  readonly messages: ReadonlyMap<string, { readonly text: string; readonly answer: number }>
  readonly answer: number
  /** The usage of each message of the current answer. */
  readonly used: ReadonlyMap<string, Tokens>
}

const agent = 'gemini-cli'

/** The state before the first line of a chat. */
export const initialTranscript = (connection: ConnectionId): TranscriptState => ({
  retelling: initialRetelling(agent, connection),
  messages: new Map(),
  answer: 0,
  used: new Map(),
})

interface Page extends Teller {
  book: Omit<TranscriptState, 'retelling'>
}

/** The lines of a chat's file as chunks. A message is written again whenever something was added to it. */
export function translateTranscript(
  { retelling, ...book }: TranscriptState,
  raw: RawMessage,
): Translation<TranscriptState> {
  const page: Page = { retelling, book, chunks: [] }
  const reading = readJson(raw)
  const own = ownLineIn(raw)
  if (isPause(raw)) pause(page)
  else if (own?.dragoman === 'denied') askedBefore(page, own.call)
  else if (reading.type === 'unreadable') say(page, [noticeOf(reading)])
  else readLine(page, reading.value, raw)
  return [{ retelling: page.retelling, ...page.book }, page.chunks]
}

/** A person denied a call, so it had asked. It may appear only with its result. */
function askedBefore(page: Page, call: string): void {
  if (callIn(page.retelling.parts, call) !== undefined)
    say(page, [{ type: 'ask', call, approval: deniedApproval(call) }])
}

function readLine(page: Page, line: JsonObject, raw: RawMessage): void {
  if (typeof line['projectHash'] === 'string') return introduce(page, line)
  if (isObject(line['$set'])) {
    for (const message of listOf(line['$set']['messages']).filter(isObject)) readMessage(page, message, raw)
    return
  }
  if (typeof line['id'] === 'string') return readMessage(page, line, raw)
  say(page, [unknownOf(agent, 'chat line', raw, line)])
}

function introduce(page: Page, { sessionId }: JsonObject): void {
  if (typeof sessionId === 'string') say(page, [{ type: 'session', data: { agentSession: sessionId } }])
}

function readMessage(page: Page, message: JsonObject, raw: RawMessage): void {
  const id = textOf(message['id']) ?? ''
  const text = JSON.stringify(message)
  const known = page.book.messages.get(id)
  if (known?.text === text) return
  const isNew = known === undefined
  if (isNew && promptOf(message) !== null) begin(page, timeIn(message['timestamp']))
  const answer = known?.answer ?? page.book.answer
  page.book = { ...page.book, messages: new Map(page.book.messages).set(id, { text, answer }) }
  // Repeated messages of an older answer add only the results of its calls.
  if (answer !== page.book.answer) return callsIn(message).forEach(call => showCall(page, call))
  noteTime(page, timeIn(message['timestamp']))
  showKind(page, id, message, raw, isNew)
}

function begin(page: Page, at: number | null): void {
  ask(page, at)
  page.book = { ...page.book, answer: page.book.answer + 1, used: new Map() }
}

function showKind(page: Page, id: string, message: JsonObject, raw: RawMessage, isNew: boolean): void {
  const type = textOf(message['type']) ?? ''
  if (type === 'gemini') return showModel(page, id, message)
  if (type === 'user') return responsesIn(message).forEach(call => showCall(page, call))
  if (!isNew) return
  if (type === 'info' || type === 'warning' || type === 'error')
    return showNotice(page, type, contentIn(message))
  say(page, [unknownOf(agent, `chat ${type}`, raw, message)])
}

function showNotice(page: Page, level: 'info' | 'warning' | 'error', message: string): void {
  if (/^request cancelled/i.test(message)) {
    say(page, [{ type: 'begin' }])
    return finish(page, { reason: 'interrupted' })
  }
  const chunk = { type: 'data-notice', data: { level, code: 'chat', message } } as const
  say(page, [{ type: 'show', chunk }])
}

function showModel(page: Page, id: string, message: JsonObject): void {
  const model = textOf(message['model'])
  if (model !== undefined) say(page, [{ type: 'session', data: { model } }])
  const text = contentIn(message)
  const ops: readonly Op[] = [
    ...thoughtsIn(message).map((thought, index) => final('thinking', `${id}.${index}`, thought)),
    ...(text === '' ? [] : [final('text', id, text)]),
  ]
  if (ops.length > 0) say(page, ops)
  const calls = callsIn(message)
  for (const call of calls) showCall(page, call)
  note(page, { isAtWork: calls.length > 0 || text === '' })
  spend(page, id, message, model ?? null)
  say(page, [{ type: 'step-end' }])
}

const final = (kind: 'text' | 'thinking', key: string, text: string): Op => ({
  type: 'final',
  kind,
  key,
  text,
})

function spend(page: Page, id: string, message: JsonObject, model: string | null): void {
  const figures = tokensIn(message)
  if (figures === null) return
  const { input, cached, output, thoughts } = figures
  const tokens = {
    input: Math.max(0, input - cached),
    output: output + thoughts,
    cacheRead: cached,
    cacheWrite: 0,
  }
  const used = new Map(page.book.used).set(id, tokens)
  page.book = { ...page.book, used }
  const sum = (name: keyof Tokens) => [...used.values()].reduce((total, each) => total + each[name], 0)
  const all = { input: sum('input'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: 0 }
  showUsage(page, { tokens: all, model, request: { id, tokens } })
}

function showCall(page: Page, { id, facts, status }: ChatCall): void {
  const known = callIn(page.retelling.parts, id)
  const title = textOf(facts['title'])
  const tool = textOf(facts['name']) ?? known?.tool ?? 'unknown'
  if (known === undefined)
    say(page, [
      {
        type: 'call-ready',
        call: id,
        tool,
        input: facts['rawInput'] ?? null,
        ...(title === undefined ? {} : { title }),
      },
    ])
  if (status === null || known?.state === 'settled') return
  const output = facts['rawOutput'] ?? null
  if (status === 'completed') return say(page, [{ type: 'result', call: id, output }])
  const error = textOf(objectOf(output)['error']) ?? JSON.stringify(output)
  say(page, [{ type: 'failure', call: id, error }])
}

/** A person's prompt in a message of a chat; null for other messages. */
export function promptOf(message: JsonObject): TranscriptPrompt | null {
  const id = textOf(message['id'])
  if (message['type'] !== 'user' || id === undefined || responsesIn(message).length > 0) return null
  const { content } = message
  const parts =
    typeof content === 'string' ? textPart(content) : listOf(content).filter(isObject).flatMap(partOf)
  return parts.length === 0 ? null : { id: id as PromptId, parts }
}

function partOf(part: JsonObject): readonly PromptPart[] {
  const { mimeType, data } = objectOf(part['inlineData'])
  if (typeof mimeType === 'string' && typeof data === 'string')
    return [{ type: 'file', mediaType: mimeType, url: `data:${mimeType};base64,${data}` }]
  return textPart(textOf(part['text']) ?? '')
}

const textPart = (text: string): readonly PromptPart[] => (text === '' ? [] : [{ type: 'text', text }])
