import type { RawMessage } from '../agent.ts'
import { listOf, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { inOrder } from '../kit/parts.ts'
import { applyPart } from './parts.ts'
import { applySession, applyTodos } from './sessions.ts'
import { nativeSession, type State, type Step } from './state.ts'
import { subagentNews } from './subagents.ts'
import { atWork, applyError, idle } from './turns.ts'

const kinds: ReadonlySet<string> = new Set(['step_start', 'text', 'reasoning', 'tool_use', 'step_finish'])

/** Whether `opencode run --format json` prints such a line: a complete part, or an error. */
export function isRunLine(kind: string, line: Fields): boolean {
  return kind === 'error' ? 'error' in line : kinds.has(kind) && 'part' in line
}

/** A printed line means the same as the equivalent events. */
export function applyRunLine(state: State, line: Fields, raw: RawMessage): Step {
  const sessionID = textOf(line, 'sessionID')
  const error = line['error']
  if (error !== undefined && sessionID === '') return applyError(state, { error })
  const introduced = applySession(state, { info: { id: sessionID } })
  if (error !== undefined)
    return inOrder(
      introduced,
      next => atWork(next, sessionID),
      next => applyError(next, { sessionID, error }),
      next => idle(next, { sessionID }),
    )
  const part = objectOf(line, 'part')
  return inOrder(
    introduced,
    next => applyPart(next, { sessionID, part }, raw),
    next => (textOf(part, 'type') === 'tool' ? applyEndedCall(next, sessionID, part) : [next, []]),
    next => (isLast(part) ? idle(next, { sessionID }) : [next, []]),
  )
}

/** More facts of an ended call: the plan that it wrote, or the end of its subagent. */
function applyEndedCall(state: State, sessionID: string, part: Fields): Step {
  const now = objectOf(part, 'state')
  const metadata = objectOf(now, 'metadata')
  if (textOf(part, 'tool') === 'todowrite' && 'todos' in metadata)
    return applyTodos(state, { sessionID, todos: listOf(metadata, 'todos') })
  const child = textOf(metadata, 'sessionId')
  const status = textOf(now, 'status') === 'error' ? 'failed' : 'completed'
  return child === '' ? [state, []] : subagentNews(state, nativeSession(state, child), { status })
}

/** Stop reasons after which OpenCode asks the model again. */
const goingOn: ReadonlySet<string> = new Set(['tool-calls', 'unknown'])

/** Whether an answer ends with a part: no line reports that the session is idle. */
const isLast = (part: Fields): boolean =>
  textOf(part, 'type') === 'step-finish' && !goingOn.has(textOf(part, 'reason'))
