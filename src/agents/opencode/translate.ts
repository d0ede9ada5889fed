import type { ConnectionId } from '../../protocol/ids.ts'
import type { RawMessage } from '../agent.ts'
import { textOf, textOrNull, type Fields } from '../kit/fields.ts'
import { nothingShown } from '../kit/known-fields.ts'
import { initialParts, notice, remark, withStrange } from '../kit/parts.ts'
import { emptyMap } from '../kit/persistent-map.ts'
import { noticeOf, readJson, unknownOf } from '../kit/parse-json.ts'
import { lines, runLines } from './known-fields.ts'
import { readMessage } from './messages.ts'
import { partRemoved, applyPart } from './parts.ts'
import { answered, askEarly, permissionAsked, questionAsked } from './questions.ts'
import { reloaded } from './reload.ts'
import { isRunLine, applyRunLine } from './run-lines.ts'
import { compacted, applyDiff, applyMessage, applySession, applyTodos } from './sessions.ts'
import { nativeSession, type State, type Step } from './state.ts'
import { applyError, idle, applyStatus } from './turns.ts'
import { delta } from './text.ts'

const agent = 'opencode'

/** The state before OpenCode's first event. */
export const initial = (connection: ConnectionId): State => ({
  parts: initialParts(agent, connection),
  shown: nothingShown,
  main: null,
  sessions: emptyMap(),
  first: null,
  roles: emptyMap(),
  pieces: emptyMap(),
  live: new Map(),
  asked: new Map(),
  inputs: emptyMap(),
  early: [],
})

type Meaning = (state: State, properties: Fields, raw: RawMessage) => Step

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['message.part.delta', delta],
  ['message.part.updated', applyPart],
  ['message.part.removed', partRemoved],
  ['message.updated', applyMessage],
  ['session.created', applySession],
  ['session.updated', applySession],
  ['session.status', applyStatus],
  ['session.idle', idle],
  ['session.error', applyError],
  ['session.diff', applyDiff],
  ['session.compacted', compacted],
  ['todo.updated', applyTodos],
  ['permission.asked', permissionAsked],
  // It comes every ten seconds: by then the input of a call should be known.
  ['server.heartbeat', state => askEarly(state)],
  ['permission.replied', answered],
  ['question.asked', questionAsked],
  ['question.replied', answered],
  ['question.rejected', answered],
  ['tui.toast.show', toast],
])

/**
 * OpenCode's events as chunks, and what `opencode run` prints of them. Our own requests add nothing: the events
 * repeat what matters.
 */
export function translate(state: State, raw: RawMessage): Step {
  if (raw.from === 'host') return [state, []]
  const reading = readJson(raw)
  if (reading.type === 'unreadable') return remark(state, null, [noticeOf(reading)])
  return withStrange(applyEvent(state, reading.value, raw), lines, reading.value)
}

function applyEvent(state: State, value: Fields, raw: RawMessage): Step {
  const message = readMessage(value)
  switch (message.type) {
    case 'event':
      return happened(state, message.kind, message.properties, value, raw)
    case 'answer':
      return reloaded(state, message.path, message.response, raw)
    case 'unknown':
      return remark(state, null, [unknownOf(agent, 'untyped', raw, value)])
  }
}

function happened(state: State, kind: string, properties: Fields, value: Fields, raw: RawMessage): Step {
  const meaning = meanings.get(kind)
  if (meaning) return meaning(state, properties, raw)
  if (isRunLine(kind, value)) return withStrange(applyRunLine(state, value, raw), runLines, value)
  // Another stream of the server has events of the same names, with other fields.
  if (isSilent(kind) && !('data' in value)) return [state, []]
  const sessionID = textOrNull(properties, 'sessionID')
  const thread = sessionID === null ? null : nativeSession(state, sessionID).thread
  return remark(state, thread, [unknownOf(agent, kind, raw, value)])
}

function toast(state: State, properties: Fields): Step {
  const level = textOf(properties, 'variant') === 'error' ? 'error' : 'info'
  return remark(state, null, [notice(level, 'toast', textOf(properties, 'message'))])
}

/** Events that are not shown: state that other events report, or that is not visible here. */
const silent: ReadonlySet<string> = new Set([
  'catalog.updated',
  'command.executed',
  'file.edited',
  'file.watcher.updated',
  'installation.update-available',
  'installation.updated',
  'lsp.client.diagnostics',
  'lsp.updated',
  'mcp.tools.changed',
  'message.removed',
  'models-dev.refreshed',
  'plugin.added',
  'project.directories.updated',
  'project.updated',
  'reference.updated',
  'server.connected',
  'server.heartbeat',
  'server.instance.disposed',
  'session.deleted',
  'vcs.branch.updated',
])

/** Families of events: terminals, OpenCode's own screen, and the next protocol, which repeats everything. */
const families = ['integration.', 'permission.v2.', 'pty.', 'question.v2.', 'session.next.', 'tui.']

/** Whether events of a kind are not shown. */
const isSilent = (kind: string): boolean =>
  silent.has(kind) || families.some(family => kind.startsWith(family))
