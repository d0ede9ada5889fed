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
 * The lines of the scripted agent, one JSON object per line. Unknown fields are accepted, and a line of an unknown kind is not
 * an error but is shown.
 */
export const agentLine = z.discriminatedUnion('type', [
  /** Sent once when it starts: its version, and its own id of the session. */
  z.looseObject({
    type: z.literal('hello'),
    session: z.string(),
    version: z.string(),
    model: z.string(),
    cwd: z.string(),
  }),
  /** It starts to answer a prompt. */
  z.looseObject({ type: z.literal('begin'), prompt: z.string() }),
  z.looseObject({ type: z.literal('text'), thread, key: z.string(), delta: z.string() }),
  z.looseObject({ type: z.literal('thinking'), thread, key: z.string(), delta: z.string() }),
  /** A piece of text or thinking is complete. */
  z.looseObject({ type: z.literal('end'), thread, key: z.string() }),
  /** A complete message of its model: the streamed text again, possibly without the thinking. */
  z.looseObject({ type: z.literal('message'), thread, content: z.array(content) }),
  z.looseObject({ type: z.literal('call'), thread, call: z.string(), tool: z.string() }),
  z.looseObject({ type: z.literal('call-input'), thread, call: z.string(), delta: z.string() }),
  z.looseObject({ type: z.literal('call-ready'), thread, call: z.string(), tool: z.string(), input: json }),
  /** A preliminary result, while the tool still runs. */
  z.looseObject({ type: z.literal('progress'), thread, call: z.string(), output: json }),
  z.looseObject({ type: z.literal('result'), thread, call: z.string(), output: json }),
  z.looseObject({ type: z.literal('failure'), thread, call: z.string(), error: z.string() }),
  /** It waits for a person: for approval of the call, or for the answer to its question. */
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
  /** It retracts the pieces with these keys and calls. */
  z.looseObject({ type: z.literal('retract'), thread, keys: z.array(z.string()) }),
  /** One request to a model is over; the totals are those of the whole answer so far, including subagents. */
  z.looseObject({ type: z.literal('step-end'), thread, tokens, cost: z.number() }),
  z.looseObject({
    type: z.literal('done'),
    reason: z.enum(['finished', 'interrupted', 'failed']),
    error: z.optional(z.object({ kind: z.string(), message: z.string() })),
    tokens,
    cost: z.number(),
    duration: z.number(),
  }),
  /** A sign of life; nothing is shown. */
  z.looseObject({ type: z.literal('heartbeat') }),
])

/** One parsed line of the scripted agent. */
export type AgentLine = z.infer<typeof agentLine>
