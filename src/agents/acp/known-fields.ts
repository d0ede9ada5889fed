import { kindsBy, oneKind, shape, shapesOf, type Kinds } from '../kit/known-fields.ts'
import * as fields from './fields.generated.ts'
import type { JsonObject } from './messages.ts'

// Each agent chooses what is in `_meta`, so it is not checked.
const blocks = kindsBy('content', 'type', shapesOf(fields.contents))
const content = kindsBy(
  'content',
  'type',
  shapesOf(fields.contents, each => shape(each, { content: blocks })),
)

const updates = kindsBy(
  'update',
  'sessionUpdate',
  shapesOf(fields.updates, each => shape(each, { content })),
)

const toolCall = oneKind('toolCall', shape(fields.toolCall, { content }))

const request = (params: string, inside: Readonly<Record<string, Kinds>> = {}) =>
  shape('jsonrpc id method params', { params: oneKind(null, shape(params, inside)) })

/** The results of a prompt. Other results describe the agent to programs and are not checked. */
const results = kindsBy('result', result => ('stopReason' in result ? 'prompt' : ''), {
  prompt: shape(fields.promptResult),
})

const kindOf = ({ method, result, error }: JsonObject) =>
  method === undefined && (result !== undefined || error !== undefined) ? 'answer' : method

/** The known fields of ACP's messages, of versions 1 and 2, with those that are not yet stable. */
export const lines = kindsBy('', kindOf, {
  'session/update': request(fields.sessionNotification, { update: updates }),
  'session/request_permission': request(fields.permissionRequest, { toolCall }),
  'elicitation/create': request(fields.elicitation),
  answer: shape('jsonrpc id result error', { result: results }),
})
