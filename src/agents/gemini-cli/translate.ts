import type { ConnectionId } from '../../protocol/ids.ts'
import type { Opening, RawMessage, Translation } from '../agent.ts'
import { initialAcp, readAcpRecorded, textOf, translateAcp, type JsonObject } from '../acp/index.ts'
import { showStrange, strangeIn } from '../kit/known-fields.ts'
import { addChunks, type Op } from '../kit/parts.ts'
import { noticeOf, readJson, unknownOf } from '../kit/parse-json.ts'
import { applyBesideChat } from './beside-chat.ts'
import { applyChat } from './chat.ts'
import { applyHeadless } from './headless.ts'
import { chatLines, headlessLines } from './known-fields.ts'
import { sourceOf } from './messages.ts'
import { pass, passUpdate, emit, type Draft, type GeminiState } from './state.ts'

const agent = 'gemini-cli'

/** The state before Gemini CLI's first line. */
export function initial(connection: ConnectionId, opening?: Opening): GeminiState {
  return {
    acp: initialAcp(connection, agent, opening),
    chat: null,
    headless: { isRunning: false, texts: 0, error: null },
  }
}

/** The lines of Gemini CLI as chunks, from any source; over ACP, ours as well. */
export function translate(state: GeminiState, raw: RawMessage): Translation<GeminiState> {
  const draft: Draft = { state, chunks: [] }
  const reading = readJson(raw)
  if (reading.type === 'object' && raw.from === 'host') pass(draft, 'host', reading.value)
  else if (reading.type === 'object') applyLine(draft, reading.value, raw)
  else if (isHeadless(state)) mention(draft, noticeOf(reading))
  else applyUnreadable(draft, raw)
  return [draft.state, draft.chunks]
}

/** Whether the lines are those of the headless mode, which does not use lines of ours. */
const isHeadless = ({ headless, acp }: GeminiState) =>
  acp.seldom.alone && (headless.isRunning || headless.texts > 0)

/** Shows something in the current run, or in the last one. */
function mention(draft: Draft, op: Op): void {
  emit(draft, draft.state.headless.isRunning ? [{ type: 'begin' }, op] : [op])
}

function applyUnreadable(draft: Draft, raw: RawMessage): void {
  const [acp, chunks] = translateAcp(draft.state.acp, raw)
  draft.state = { ...draft.state, acp }
  addChunks(draft, chunks)
}

function applyLine(draft: Draft, line: JsonObject, raw: RawMessage): void {
  const source = sourceOf(line)
  const { acp, chat } = draft.state
  const kind = textOf(line['type'])
  if (source === 'headless') return applyRun(draft, line)
  if (isHeadless(draft.state)) return mention(draft, unknownOf(agent, kind ?? 'untyped', raw, line))
  // Without any other lines, a chat is not part of a conversation here: it is for the importer.
  if (source === 'chat' && acp.seldom.alone) passUpdate(draft, `chat ${kind ?? 'file'}`, { message: line })
  if (source === 'chat') return applyBeside(draft, line)
  if (chat === null) return pass(draft, 'agent', line)
  applyBesideChat(draft, chat, line)
}

function applyRun(draft: Draft, line: JsonObject): void {
  applyHeadless(draft, line)
  applyStrange(draft, strangeIn(headlessLines, line))
}

function applyBeside(draft: Draft, line: JsonObject): void {
  applyChat(draft, line)
  if (draft.state.acp.prompts.length > 0) applyStrange(draft, strangeIn(chatLines, line))
}

/** Shows unknown fields. */
function applyStrange(draft: Draft, strange: ReturnType<typeof strangeIn>): void {
  if (strange.length === 0) return
  const { acp } = draft.state
  const { ops, shown } = showStrange(agent, acp.seldom.shown, strange)
  draft.state = { ...draft.state, acp: { ...acp, seldom: { ...acp.seldom, shown } } }
  for (const op of ops) mention(draft, op)
}

/** Reads a line of a recording: of both directions over ACP, or Gemini CLI's own. */
export const readRecorded = readAcpRecorded
