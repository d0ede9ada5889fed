import { kindsBy, oneKind, shape, shapesOf } from '../kit/known-fields.ts'
import * as fields from './fields.generated.ts'

/** The known fields of the headless mode's lines. Those over ACP are in the folder of ACP. */
export const headlessLines = kindsBy(
  '',
  'type',
  shapesOf(fields.headlessLines, each => shape(each, { stats: oneKind('stats', shape(fields.stats)) })),
)

/** The known fields of a chat's messages. */
export const chatLines = kindsBy(
  'chat',
  'type',
  shapesOf(fields.chatLines, each => shape(each, { toolCalls: oneKind('toolCall', shape(fields.toolCall)) })),
)
