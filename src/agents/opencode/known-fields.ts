import { kindsBy, oneKind, shape } from '../kit/known-fields.ts'

const states = kindsBy('state', ({ status }) => status, {
  pending: shape('status input raw'),
  running: shape('status input title metadata time'),
  completed: shape('status input output title metadata time attachments'),
  error: shape('status input error metadata time raw'),
})

const of = 'id sessionID messageID type'

const parts = kindsBy('part', ({ type }) => type, {
  text: shape(`${of} text synthetic ignored time metadata`),
  reasoning: shape(`${of} text metadata time`),
  tool: shape(`${of} callID tool state metadata`, { state: states }),
  file: shape(`${of} mime filename url source`),
  subtask: shape(`${of} prompt description agent model command`),
  'step-start': shape(`${of} snapshot`),
  'step-finish': shape(`${of} reason snapshot cost tokens`),
  snapshot: shape(`${of} snapshot`),
  patch: shape(`${of} hash files`),
  agent: shape(`${of} name source`),
  retry: shape(`${of} attempt error time`),
  compaction: shape(`${of} auto overflow tail_start_id`),
})

const messages = kindsBy('message', ({ role }) => role, {
  user: shape('id sessionID role time format summary agent model providerID modelID system tools'),
  assistant: shape(
    `id sessionID role time error parentID modelID providerID mode agent path summary cost tokens structured variant
    finish`,
  ),
})

const session = oneKind(
  'session',
  shape(
    `id slug projectID workspaceID directory path parentID summary cost tokens share title agent model version metadata
    time permission revert`,
  ),
)

const statuses = kindsBy('status', ({ type }) => type, {
  idle: shape('type'),
  busy: shape('type'),
  retry: shape('type attempt message action next'),
})

const event = (fields: string, inside: Parameters<typeof shape>[1] = {}) =>
  shape('id type properties', { properties: oneKind(null, shape(fields, inside)) })

/** The fields of OpenCode's events that are known: from the server's own description of 1.18.33, and from recordings. */
export const lines = kindsBy('', ({ type }) => type, {
  'message.part.delta': event('sessionID messageID partID field delta'),
  'message.part.updated': event('sessionID part time delta', { part: parts }),
  'message.part.removed': event('sessionID messageID partID'),
  'message.updated': event('sessionID info', { info: messages }),
  'session.created': event('sessionID info', { info: session }),
  'session.updated': event('sessionID info', { info: session }),
  'session.status': event('sessionID status', { status: statuses }),
  'session.idle': event('sessionID'),
  'session.error': event('sessionID error'),
  'session.diff': event('sessionID diff'),
  'session.compacted': event('sessionID'),
  'todo.updated': event('sessionID todos'),
  'permission.asked': event('id sessionID permission patterns metadata always tool'),
  'permission.replied': event('sessionID requestID reply'),
  'question.asked': event('id sessionID questions tool'),
  'question.replied': event('sessionID requestID answers'),
  'question.rejected': event('sessionID requestID'),
  'tui.toast.show': event('title message variant duration'),
})

const printed = shape('type timestamp sessionID part', { part: parts })

/** The fields of the lines that `opencode run --format json` prints. */
export const runLines = kindsBy('', ({ type }) => type, {
  step_start: printed,
  text: printed,
  reasoning: printed,
  tool_use: printed,
  step_finish: printed,
  error: shape('type timestamp sessionID error'),
})
