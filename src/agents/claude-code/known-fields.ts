import { kindsBy, oneKind, shape, shapesOf } from '../kit/known-fields.ts'
import * as fields from './fields.generated.ts'
import { textOf, type Fields } from './messages.ts'

const blocks = kindsBy('block', 'type', shapesOf(fields.blocks))

const message = oneKind('message', shape(fields.message, { content: blocks }))

const delta = kindsBy('delta', ({ type }) => type ?? 'message', {
  ...shapesOf(fields.deltas),
  message: shape(fields.messageDelta),
})

const event = kindsBy(
  'event',
  'type',
  shapesOf(fields.events, each => shape(each, { delta, content_block: blocks, message })),
)

const request = kindsBy('request', 'subtype', shapesOf(fields.requests))

const kindOf = ({ type, subtype }: Fields) => (type === 'system' ? `system/${textOf(subtype)}` : type)

/** The known fields of Claude Code's lines. */
export const lines = kindsBy('', kindOf, {
  ...shapesOf(fields.lines, each => shape(each, { message, event })),
  ...shapesOf(fields.systemLines),
  control_request: shape(fields.controlRequest, { request }),
})
