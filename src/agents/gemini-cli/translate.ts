import type { ConnectionId } from '../../protocol/ids.ts'
import type { Opening, RawMessage, Translation } from '../agent.ts'
import { initialAcp, readAcpRecorded, textOf, translateAcp, type JsonObject } from '../acp/index.ts'
import { showStrange, strangeIn } from '../kit/known-fields.ts'
import { addChunks, type Op } from '../kit/parts.ts'
import { noticeOf, readJson, unknownOf } from '../kit/read-json.ts'
import { hearBesideChat } from './beside-chat.ts'
import { hearChat } from './chat.ts'
import { hearHeadless } from './headless.ts'
import { chatLines, headlessLines } from './known-fields.ts'
import { sourceOf } from './messages.ts'
import { pass, passUpdate, say, type Draft, type GeminiState } from './state.ts'

const agent = 'gemini-cli'

/** The state before Gemini CLI's first line. */
export function initial(connection: ConnectionId, opening?: Opening): GeminiState {
  return {
    acp: initialAcp(connection, agent, opening),
    chat: null,
    headless: { isRunning: false, texts: 0, error: null },
  }
}

/** The lines of Gemini CLI as chunks, from wherever it says them; over ACP, ours as well. */
export function translate(state: GeminiState, raw: RawMessage): Translation<GeminiState> {
  const draft: Draft = { state, chunks: [] }
  const reading = readJson(raw)
  if (reading.type === 'object' && raw.from === 'host') pass(draft, 'host', reading.value)
  else if (reading.type === 'object') hear(draft, reading.value, raw)
  else if (isHeadless(state)) mention(draft, noticeOf(reading))
  else hearUnreadable(draft, raw)
  return [draft.state, draft.chunks]
}

/** Whether it is the headless mode that speaks; it has no use for lines of ours. */
const isHeadless = ({ headless, acp }: GeminiState) =>
  acp.scene.alone && (headless.isRunning || headless.texts > 0)

/** Shows something in the run at hand, or in the last one. */
function mention(draft: Draft, op: Op): void {
  say(draft, draft.state.headless.isRunning ? [{ type: 'begin' }, op] : [op])
}

function hearUnreadable(draft: Draft, raw: RawMessage): void {
  const [acp, chunks] = translateAcp(draft.state.acp, raw)
  draft.state = { ...draft.state, acp }
  addChunks(draft, chunks)
}

function hear(draft: Draft, line: JsonObject, raw: RawMessage): void {
  const source = sourceOf(line)
  const { acp, chat } = draft.state
  const kind = textOf(line['type'])
  if (source === 'headless') return hearRun(draft, line)
  if (isHeadless(draft.state)) return mention(draft, unknownOf(agent, kind ?? 'untyped', raw, line))
  // Beside nothing that was said, a chat is no part of a conversation here: it is for the importer.
  if (source === 'chat' && acp.scene.alone) passUpdate(draft, `chat ${kind ?? 'file'}`, { message: line })
  if (source === 'chat') return hearBeside(draft, line)
  if (chat === null) return pass(draft, 'agent', line)
  hearBesideChat(draft, chat, line)
}

function hearRun(draft: Draft, line: JsonObject): void {
  hearHeadless(draft, line)
  hearStrange(draft, strangeIn(headlessLines, line))
}

function hearBeside(draft: Draft, line: JsonObject): void {
  hearChat(draft, line)
  if (draft.state.acp.prompts.length > 0) hearStrange(draft, strangeIn(chatLines, line))
}

/** Shows fields that we do not know. */
function hearStrange(draft: Draft, strange: ReturnType<typeof strangeIn>): void {
  if (strange.length === 0) return
  const { acp } = draft.state
  const { ops, shown } = showStrange(agent, acp.scene.shown, strange)
  draft.state = { ...draft.state, acp: { ...acp, scene: { ...acp.scene, shown } } }
  for (const op of ops) mention(draft, op)
}

/** Reads a line of a recording: of both sides over ACP, or as Gemini CLI wrote it. */
export const readRecorded = readAcpRecorded
