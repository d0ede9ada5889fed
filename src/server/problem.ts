import { DragomanError, isDragomanError, type ErrorCode } from '../protocol/error.ts'

/** The HTTP status and title of each code. The compiler finds a missing one. */
const kinds: { readonly [Code in ErrorCode]: readonly [status: number, title: string] } = {
  'invalid-input': [400, 'The request is not valid'],
  'unknown-session': [404, 'No such session'],
  'unknown-agent': [404, 'No such agent'],
  'unknown-approval': [404, 'No such approval'],
  'unknown-interaction': [404, 'No such interaction'],
  'unknown-prompt': [404, 'No such prompt'],
  'unknown-message': [404, 'No such message'],
  'unknown-entry': [404, 'No such entry'],
  'unknown-rule': [404, 'No such rule'],
  'rule-refused': [409, 'No rule can be made'],
  'unknown-part': [404, 'No such part'],
  'unknown-manipulation': [404, 'No such context change'],
  'unknown-request': [404, 'No such model request'],
  'unknown-import': [404, 'No such import'],
  'change-refused': [409, 'The change was refused'],
  'unknown-path': [404, 'No such address'],
  'session-exists': [409, 'The session already exists'],
  'prompt-exists': [409, 'The prompt ID is used for another prompt'],
  'session-archived': [409, 'The session is archived'],
  'session-busy': [409, 'The session is busy'],
  'session-damaged': [500, 'The session is damaged'],
  'approval-settled': [409, 'The approval is already settled'],
  'cursor-ahead': [409, 'The cursor is beyond the end'],
  'follower-behind': [409, 'The follower is too far behind'],
  'agent-unavailable': [503, 'The agent cannot run here'],
  'folder-locked': [503, 'The data folder is in use'],
  'folder-read-only': [503, 'The data folder cannot be written to'],
  'folder-newer': [503, 'The data folder was written by a newer version'],
  'folder-not-allowed': [403, 'No agent may work in that folder'],
  'disk-full': [507, 'The disk is full'],
  'save-failed': [500, 'Saving failed'],
  'journal-closed': [503, 'The server is shutting down'],
  'data-folder-gone': [503, 'The data folder is gone'],
  'writer-dead': [503, 'Nothing can be saved'],
  'journal-unreachable': [503, 'The journal cannot be reached'],
  'not-owner': [409, 'Another node owns this session'],
  'not-authenticated': [401, 'Authentication required'],
  'not-allowed': [403, 'Not allowed'],
  'too-many-attempts': [429, 'Too many attempts'],
  'too-many-connections': [503, 'Too many connections'],
  'wrong-method': [405, 'Method not allowed'],
  'wrong-content-type': [415, 'JSON required'],
  'too-large': [413, 'The request is too large'],
  'server-gone': [503, 'The server is unreachable'],
  'address-in-use': [503, 'The address is in use'],
  draining: [503, 'The server is shutting down'],
  internal: [500, 'Unexpected error'],
}

/** An error in the format of RFC 9457, with our code and the details that a program needs. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: ErrorCode
  readonly [detail: string]: unknown
}

/** The HTTP status of an error code. */
export const statusOf = (code: ErrorCode): number => kinds[code][0]

/** Every code with its status and title. */
export const problemKinds: readonly (readonly [code: ErrorCode, status: number, title: string])[] = (
  Object.keys(kinds) as ErrorCode[]
).map(code => [code, ...kinds[code]])

/** The problem that a client gets for an error. Details of an unexpected error are only in the log. */
export function problemOf(error: unknown): Problem {
  const { code, message, details } = isDragomanError(error) ? error : unforeseen
  const [status, title] = kinds[code]
  return { ...details, type: `urn:dragoman:problem:${code}`, title, status, detail: message, code }
}

const unforeseen = new DragomanError(
  'internal',
  'The server hit an unexpected error. See its log for details, and please report it.',
)

/** The extra headers of a problem. */
export function problemHeaders({ code, allow }: Problem): Readonly<Record<string, string>> {
  if (code === 'not-authenticated') return { 'www-authenticate': 'Bearer realm="dragoman"' }
  if (code === 'wrong-method' && Array.isArray(allow)) return { allow: allow.join(', ') }
  if (code === 'too-many-attempts') return { 'retry-after': '60' }
  if (code === 'draining' || code === 'journal-closed' || code === 'too-many-connections')
    return { 'retry-after': '5' }
  return {}
}
