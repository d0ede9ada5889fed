import * as z from 'zod/mini'
import { idSchema } from '../../protocol/command.ts'

const seq = z.int('must be an entry number, 0 or more').check(z.gte(0, 'must be 0 or more'))
/** The id that a client gives a request, to match the reply. */
const ownId = z.union([z.string().check(z.maxLength(200, 'is too long')), z.number()])

/** The frames that a client may send on `/api/ws`. Strict: an unknown field is an error. */
export const frameSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('follow'), session: idSchema, after: z.optional(seq) }),
  z.strictObject({ type: z.literal('unfollow'), session: idSchema }),
  z.strictObject({ type: z.literal('follow-sessions') }),
  z.strictObject({ type: z.literal('unfollow-sessions') }),
  z.strictObject({ type: z.literal('command'), id: ownId, command: z.unknown() }),
  z.strictObject({ type: z.literal('ping') }),
])

/** One frame of a client, checked. */
export type Frame = z.output<typeof frameSchema>

/** The frames that a client may send on `/api/chat/ws`: the frames of the AI SDK's `WebSocketChatTransport`. */
export const chatFrameSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('send'),
    requestId: z.string().check(z.maxLength(200, 'is too long')),
    id: z.string(),
    body: z.optional(z.record(z.string(), z.unknown())),
  }),
  z.looseObject({
    type: z.literal('resume'),
    requestId: z.string().check(z.maxLength(200, 'is too long')),
    id: idSchema,
  }),
  z.looseObject({ type: z.literal('abort'), requestId: z.string() }),
])

/** One frame of a chat's client, checked. */
export type ChatFrame = z.output<typeof chatFrameSchema>
