import { asObject } from '../../protocol/json.ts'
import type { Todo } from '../../protocol/data-parts.ts'
import { listOf, numberOf, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { build, notice, remark } from '../kit/parts.ts'
import { getIn, setIn } from '../kit/persistent-map.ts'
import { changeSession, nativeSession, type State, type Step } from './state.ts'
import { troubleIn } from './turns.ts'

/** Applies a session event. The first session without a parent is the main conversation. */
export function applySession(state: State, properties: Fields): Step {
  const info = objectOf(properties, 'info')
  const id = textOf(info, 'id')
  const isChild = textOf(info, 'parentID') !== ''
  if (id === '' || (state.main === null ? isChild : state.main !== id)) return [state, []]
  const model = objectOf(info, 'model')
  const name = textOf(model, 'id')
  return introduce(changeSession(state, id, { thread: null, placed: true }), {
    cwd: textOf(info, 'directory'),
    version: textOf(info, 'version'),
    model: name === '' ? '' : `${textOf(model, 'providerID')}/${name}`,
    title: textOf(info, 'title'),
  })
}

/**
 * Applies a message event: its role and its model. Its end may be slightly later than the parts that follow, so
 * nothing ends here.
 */
export function applyMessage(state: State, properties: Fields): Step {
  const info = objectOf(properties, 'info')
  const sessionID = textOf(info, 'sessionID') || textOf(properties, 'sessionID')
  const role = textOf(info, 'role')
  const id = textOf(info, 'id')
  const time = objectOf(info, 'time')
  const before = nativeSession(state, sessionID)
  // A fork sends the messages that it copies: complete ones, while nothing is at work.
  const isCopy = getIn(state.roles, id) === undefined && !before.running && 'completed' in time
  const known: State = {
    ...state,
    first: state.first ?? id,
    roles: setIn(state.roles, id, getIn(state.roles, id) ?? (isCopy ? 'copy' : role)),
  }
  const native = nativeSession(known, sessionID)
  if (role !== 'assistant') {
    const asked = changeSession(known, sessionID, { began: native.began || numberOf(time, 'created') })
    return applyDiff(asked, { sessionID, diff: objectOf(info, 'summary')['diffs'] ?? [] })
  }
  const model = `${textOf(info, 'providerID')}/${textOf(info, 'modelID')}`
  const error = 'error' in info ? { error: native.error ?? troubleIn(objectOf(info, 'error')) } : {}
  const next = changeSession(known, sessionID, {
    model,
    began: native.began || numberOf(time, 'created'),
    ended: Math.max(native.ended, numberOf(time, 'completed')),
    ...(native.running ? error : {}),
  })
  if (next.main !== sessionID) return [next, []]
  return introduce(next, { model, cwd: textOf(objectOf(info, 'path'), 'cwd'), version: '' })
}

interface Introduction {
  readonly model: string
  readonly cwd: string
  readonly version: string
  readonly title?: string
}

/** The default title of a session before a model has made one. */
const noTitle = /^(?:New|Child) session - \d/

function introduce(state: State, { model, cwd, version, title = '' }: Introduction): Step {
  const data = {
    agentSession: state.main,
    ...(model !== '' && { model }),
    ...(cwd !== '' && { cwd }),
    ...(version !== '' && { version }),
    ...(title !== '' && !noTitle.test(title) && { title }),
  }
  const [parts, chunks] = build(state.parts, [{ type: 'session', data }])
  return [{ ...state, parts }, chunks]
}

/** The current plan. */
export function applyTodos(state: State, properties: Fields): Step {
  const todos = listOf(properties, 'todos').map((todo): Todo => {
    const fields = asObject(todo)
    return { text: textOf(fields, 'content'), status: statuses[textOf(fields, 'status')] ?? 'pending' }
  })
  const { thread } = nativeSession(state, textOf(properties, 'sessionID'))
  return remark(state, thread, [
    { type: 'show', chunk: { type: 'data-todos', id: 'todos', data: { todos } } },
  ])
}

const statuses: Readonly<Record<string, Todo['status']>> = {
  pending: 'pending',
  in_progress: 'in-progress',
  completed: 'completed',
  cancelled: 'cancelled',
}

/** All changes of files, sent again and again: of the session, and with each prompt. */
export function applyDiff(state: State, properties: Fields): Step {
  const sessionID = textOf(properties, 'sessionID')
  const diff = listOf(properties, 'diff')
    .map(each => textOf(asObject(each), 'patch'))
    .join('\n')
  const { thread, diff: before } = nativeSession(state, sessionID)
  if (diff === '' || diff === before) return [state, []]
  const next = changeSession(state, sessionID, { diff })
  return remark(next, thread, [notice('info', 'session-diff', diff, 'session-diff')])
}

/** The conversation so far was compacted. */
export function compacted(state: State, properties: Fields): Step {
  const { thread } = nativeSession(state, textOf(properties, 'sessionID'))
  return remark(state, thread, [
    notice('info', 'compacted', 'The conversation so far was summed up to make room.'),
  ])
}
