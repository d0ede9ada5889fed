import { asObject } from '../../protocol/json.ts'
import { objectOf, textOf, type Fields } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'

/** What must be known of a connection while it runs: which sessions are ours, and what was asked. */
export interface Conversation {
  /** The session that we talk in, and those of its subagents. */
  readonly sessions: ReadonlySet<string>
  /** Whether an event is about us. The server tells of all sessions in its folder, and now and then that it is alive. */
  isOurs(line: string): boolean
  /** The questions that are open, by id. */
  readonly questions: ReadonlyMap<string, Fields>
}

/** Keeps track of a connection to a session. */
export function createConversation(main: string): Conversation {
  const sessions = new Set([main])
  const questions = new Map<string, Fields>()
  let isAsked = false
  /** Only the heartbeat after a request for permission counts: it ends the wait for the input of the call. */
  const isAwaited = () => {
    const was = isAsked
    isAsked = false
    return was
  }
  return {
    sessions,
    questions,
    isOurs(line) {
      // Most lines are words, which need no closer look.
      const mark = /"sessionID":"([^"]+)"/.exec(line)?.[1]
      if (mark !== undefined && !sessions.has(mark) && !line.includes('"session.created"')) return false
      if (mark === undefined) return isHeartbeat(line) ? isAwaited() : true
      isAsked ||= sessions.has(mark) && line.includes('"permission.asked"')
      note(asNews(line), sessions, questions)
      return sessions.has(mark)
    },
  }
}

const isHeartbeat = (line: string) => line.includes('"server.heartbeat"')

/** Only few lines tell of sessions and questions. */
function asNews(line: string): Fields {
  const matters = line.includes('"session.created"') || line.includes('"question.')
  return matters ? asObject(parseJson(line)) : {}
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
