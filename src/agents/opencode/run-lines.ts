import type { RawMessage } from '../agent.ts'
import { listOf, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { inOrder } from '../kit/telling.ts'
import { partTold } from './parts.ts'
import { sessionTold, todosTold } from './sessions.ts'
import { nativeSession, type State, type Step } from './state.ts'
import { subagentNews } from './subagents.ts'
import { atWork, errorTold, idle } from './turns.ts'

const kinds: ReadonlySet<string> = new Set(['step_start', 'text', 'reasoning', 'tool_use', 'step_finish'])

/** Whether a line is one that `opencode run --format json` prints: a part when it is complete, or an error. */
export function isRunLine(kind: string, line: Fields): boolean {
  return kind === 'error' ? 'error' in line : kinds.has(kind) && 'part' in line
}

/** What `opencode run` prints means what the events mean that it stands for. */
export function runTold(state: State, line: Fields, raw: RawMessage): Step {
  const sessionID = textOf(line, 'sessionID')
  const error = line['error']
  if (error !== undefined && sessionID === '') return errorTold(state, { error })
  const introduced = sessionTold(state, { info: { id: sessionID } })
  if (error !== undefined)
    return inOrder(
      introduced,
      next => atWork(next, sessionID),
      next => errorTold(next, { sessionID, error }),
      next => idle(next, { sessionID }),
    )
  const part = objectOf(line, 'part')
  return inOrder(
    introduced,
    next => partTold(next, { sessionID, part }, raw),
    next => (textOf(part, 'type') === 'tool' ? calledTold(next, sessionID, part) : [next, []]),
    next => (isLast(part) ? idle(next, { sessionID }) : [next, []]),
  )
}

/** What else is told of a call that is over: the plan that it wrote, or the end of its subagent. */
function calledTold(state: State, sessionID: string, part: Fields): Step {
  const now = objectOf(part, 'state')
  const metadata = objectOf(now, 'metadata')
  if (textOf(part, 'tool') === 'todowrite' && 'todos' in metadata)
    return todosTold(state, { sessionID, todos: listOf(metadata, 'todos') })
  const child = textOf(metadata, 'sessionId')
  const status = textOf(now, 'status') === 'error' ? 'failed' : 'completed'
  return child === '' ? [state, []] : subagentNews(state, nativeSession(state, child), { status })
}

/** Reasons to stop after which OpenCode asks the model again. */
const goingOn: ReadonlySet<string> = new Set(['tool-calls', 'unknown'])

/** Whether an answer ends with a part: nothing says that the session is idle. */
const isLast = (part: Fields): boolean =>
  textOf(part, 'type') === 'step-finish' && !goingOn.has(textOf(part, 'reason'))
