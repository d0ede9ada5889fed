import { kindsBy, oneKind, shape, shapesOf, type Kinds } from '../kit/known-fields.ts'
import * as fields from './fields.generated.ts'

const state = kindsBy('state', 'status', shapesOf(fields.states))
const part = kindsBy(
  'part',
  'type',
  shapesOf(fields.parts, each => shape(each, { state })),
)
const message = kindsBy('message', 'role', shapesOf(fields.messages))
const session = oneKind('session', shape(fields.session))
const status = kindsBy('status', 'type', shapesOf(fields.statuses))

const event = (properties: string, info: Kinds) =>
  shape('id type properties', { properties: oneKind(null, shape(properties, { part, status, info })) })

/** The known fields of OpenCode's events. */
export const lines = kindsBy('', 'type', {
  ...shapesOf(fields.properties, each => event(each, session)),
  'message.updated': event(fields.properties['message.updated'], message),
})

const printed = shape('type timestamp sessionID part', { part })

/** The known fields of the lines that `opencode run --format json` prints: kept by hand, since no package types them. */
export const runLines = kindsBy('', 'type', {
  step_start: printed,
  text: printed,
  reasoning: printed,
  tool_use: printed,
  step_finish: printed,
  error: shape('type timestamp sessionID error'),
})
