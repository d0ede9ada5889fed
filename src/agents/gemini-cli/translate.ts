import type { ConnectionId } from '../../protocol/ids.ts'
import type { RawMessage, Translation } from '../agent.ts'
import { initialAcp, readAcpRecorded, translateAcp } from '../acp/index.ts'
import { noticeOf, readJson } from '../kit/read-json.ts'
import { hearBesideChat } from './beside-chat.ts'
import { hearChat } from './chat.ts'
import { hearHeadless } from './headless.ts'
import { sourceOf } from './messages.ts'
import { pass, say, type Draft, type GeminiState } from './state.ts'

const agent = 'gemini-cli'

/** The state before Gemini CLI's first line. */
export function initial(connection: ConnectionId): GeminiState {
  return {
    acp: initialAcp(connection, agent),
    chat: null,
    headless: { isRunning: false, texts: 0, error: null },
  }
}

/** The lines of Gemini CLI as chunks, from wherever it says them; over ACP, ours as well. */
export function translate(state: GeminiState, raw: RawMessage): Translation<GeminiState> {
  const draft: Draft = { state, chunks: [] }
  const reading = readJson(raw)
  if (reading.type === 'object' && raw.from === 'host') pass(draft, 'host', reading.value)
  else if (reading.type === 'object') hear(draft, reading.value)
  else if (state.headless.isRunning) say(draft, [noticeOf(reading)])
  else hearUnreadable(draft, raw)
  return [draft.state, draft.chunks]
}

function hearUnreadable(draft: Draft, raw: RawMessage): void {
  const [acp, chunks] = translateAcp(draft.state.acp, raw)
  draft.state = { ...draft.state, acp }
  draft.chunks = chunks
}

function hear(draft: Draft, line: Parameters<typeof sourceOf>[0]): void {
  const source = sourceOf(line)
  if (source === 'chat') hearChat(draft, line)
  else if (source === 'headless') hearHeadless(draft, line)
  else if (draft.state.chat === null) pass(draft, 'agent', line)
  else hearBesideChat(draft, draft.state.chat, line)
}

/** Reads a line of a recording: of both sides over ACP, or as Gemini CLI wrote it. */
export const readRecorded = readAcpRecorded
