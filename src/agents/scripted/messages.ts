import * as z from 'zod/mini'
import type { Json } from '../../protocol/json.ts'

const json = z.custom<Json>(value => value !== undefined)
const tokens = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
})
const todo = z.object({
  text: z.string(),
  status: z.enum(['pending', 'in-progress', 'completed', 'cancelled']),
})
const content = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), key: z.string(), text: z.string() }),
  z.looseObject({ type: z.literal('thinking'), key: z.string(), text: z.string() }),
  z.looseObject({ type: z.literal('call'), call: z.string(), tool: z.string(), input: json }),
])

/** Any line may belong to a subagent: the call that started it. */
const thread = z.optional(z.string())

/**
 * What the scripted agent says, one JSON object a line. Loose: unknown fields pass, and a line of another kind is no error but
 * something to show.
 */
export const agentLine = z.discriminatedUnion('type', [
  /** Who it is: once when it starts, and its own name for the session. */
  z.looseObject({
    type: z.literal('hello'),
    session: z.string(),
    version: z.string(),
    model: z.string(),
    cwd: z.string(),
  }),
  /** It takes up a prompt. */
  z.looseObject({ type: z.literal('begin'), prompt: z.string() }),
  z.looseObject({ type: z.literal('text'), thread, key: z.string(), delta: z.string() }),
  z.looseObject({ type: z.literal('thinking'), thread, key: z.string(), delta: z.string() }),
  /** A piece of text or thinking is complete. */
  z.looseObject({ type: z.literal('end'), thread, key: z.string() }),
  /** A whole message of its model: what was streamed once more, possibly without the thinking. */
  z.looseObject({ type: z.literal('message'), thread, content: z.array(content) }),
  z.looseObject({ type: z.literal('call'), thread, call: z.string(), tool: z.string() }),
  z.looseObject({ type: z.literal('call-input'), thread, call: z.string(), delta: z.string() }),
  z.looseObject({ type: z.literal('call-ready'), thread, call: z.string(), tool: z.string(), input: json }),
  /** Something of a result, while the tool still runs. */
  z.looseObject({ type: z.literal('progress'), thread, call: z.string(), output: json }),
  z.looseObject({ type: z.literal('result'), thread, call: z.string(), output: json }),
  z.looseObject({ type: z.literal('failure'), thread, call: z.string(), error: z.string() }),
  /** It waits for a person: an approval of the call, or the answer to the question in it. */
  z.looseObject({ type: z.literal('ask'), thread, call: z.string(), approval: z.string() }),
  z.looseObject({
    type: z.literal('subagent'),
    thread,
    call: z.string(),
    agent: z.string(),
    description: z.string(),
  }),
  z.looseObject({
    type: z.literal('subagent-end'),
    thread,
    call: z.string(),
    status: z.enum(['completed', 'failed', 'stopped']),
    tokens: z.number(),
    cost: z.number(),
  }),
  z.looseObject({ type: z.literal('image'), thread, url: z.string(), mediaType: z.string() }),
  z.looseObject({ type: z.literal('todos'), thread, todos: z.array(todo) }),
  z.looseObject({
    type: z.literal('notice'),
    thread,
    level: z.enum(['info', 'warning', 'error']),
    code: z.string(),
    message: z.string(),
  }),
  /** It takes back what it said under these keys and calls. */
  z.looseObject({ type: z.literal('retract'), thread, keys: z.array(z.string()) }),
  /** One request to a model is over; the sums are those of the whole answer so far, subagents included. */
  z.looseObject({ type: z.literal('step-end'), thread, tokens, cost: z.number() }),
  z.looseObject({
    type: z.literal('done'),
    reason: z.enum(['finished', 'interrupted', 'failed']),
    error: z.optional(z.object({ kind: z.string(), message: z.string() })),
    tokens,
    cost: z.number(),
    duration: z.number(),
  }),
  /** It is alive; nothing to show. */
  z.looseObject({ type: z.literal('heartbeat') }),
])

/** One line of the scripted agent, understood. */
export type AgentLine = z.infer<typeof agentLine>
