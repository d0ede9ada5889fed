import { asObject } from '../../protocol/json.ts'
import type { AgentLine } from '../agent.ts'
import { objectOf, textOf, type Fields } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'

/** The state of a running connection: which sessions are ours, and the open questions. */
export interface Conversation {
  /** The main session, and those of its subagents. */
  readonly sessions: ReadonlySet<string>
  /** Whether an event belongs to us. The server sends events of all sessions in its folder, and heartbeats. */
  isOurs(line: AgentLine): boolean
  /** The open questions, by id. */
  readonly questions: ReadonlyMap<string, Fields>
}

/** Keeps track of a connection to a session. */
export function createConversation(main: string): Conversation {
  const sessions = new Set([main])
  const questions = new Map<string, Fields>()
  let isAsked = false
  /** Only the heartbeat after a permission request counts: it ends the wait for the input of the call. */
  const isAwaited = () => {
    const was = isAsked
    isAsked = false
    return was
  }
  return {
    sessions,
    questions,
    isOurs({ raw: line, parsed }) {
      const mark = /"sessionID":"([^"]+)"/.exec(line)?.[1]
      if (mark !== undefined && !sessions.has(mark) && !line.includes('"session.created"')) return false
      if (mark === undefined) return isHeartbeat(line) ? isAwaited() : true
      isAsked ||= sessions.has(mark) && line.includes('"permission.asked"')
      note(asObject(parsed), sessions, questions)
      return sessions.has(mark)
    },
  }
}

const isHeartbeat = (line: string) => line.includes('"server.heartbeat"')

/** Adds the parsed value to a line about sessions or questions. All other lines are parsed only by the translation. */
export function withNews(line: AgentLine): AgentLine {
  const matters = line.raw.includes('"session.created"') || line.raw.includes('"question.')
  const parsed = matters ? parseJson(line.raw) : undefined
  return parsed === undefined ? line : { ...line, parsed }
}

function note(event: Fields, sessions: Set<string>, questions: Map<string, Fields>): void {
  const properties = objectOf(event, 'properties')
  const info = objectOf(properties, 'info')
  if (event['type'] === 'session.created' && sessions.has(textOf(info, 'parentID')))
    sessions.add(textOf(info, 'id'))
  if (event['type'] === 'question.asked') questions.set(textOf(properties, 'id'), properties)
  if (event['type'] === 'question.replied' || event['type'] === 'question.rejected')
    questions.delete(textOf(properties, 'requestID'))
}
