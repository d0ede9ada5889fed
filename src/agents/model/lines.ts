import * as z from 'zod/mini'
import type { Json } from '../../protocol/json.ts'

const json = z.custom<Json>(value => value !== undefined)
const thread = z.nullable(z.string())
const api = z.enum(['anthropic-messages', 'openai-responses', 'openai-chat', 'gemini'])
const todo = z.object({
  text: z.string(),
  status: z.enum(['pending', 'in-progress', 'completed', 'cancelled']),
})

const pricesSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
})
/** What a million tokens cost, in dollars. */
export type Prices = Readonly<z.infer<typeof pricesSchema>>

/**
 * The lines of our own loop between the model's events, one JSON object per line, each with the field `dragoman`. The
 * model's stream events are kept unchanged: a line without this field.
 */
export const agentLine = z.discriminatedUnion('dragoman', [
  /** Agent and model: once for each connection. */
  z.looseObject({
    dragoman: z.literal('hello'),
    session: z.string(),
    provider: z.string(),
    model: z.string(),
    cwd: z.string(),
    prices: z.nullable(pricesSchema),
  }),
  /** A prompt begins. */
  z.looseObject({ dragoman: z.literal('begin'), prompt: z.string() }),
  /** A model answers a request; the events that follow belong to it, until another `response` or `from`. */
  z.looseObject({ dragoman: z.literal('response'), request: z.string(), thread, api }),
  /** The events that follow belong to a response that had begun before. */
  z.looseObject({ dragoman: z.literal('from'), request: z.string() }),
  /** A service refused a request, or could not be reached. */
  z.looseObject({
    dragoman: z.literal('refused'),
    request: z.string(),
    thread,
    status: z.nullable(z.number()),
    body: z.string(),
  }),
  /** The result of a request is retracted, and it will be sent again. */
  z.looseObject({
    dragoman: z.literal('retry'),
    request: z.string(),
    thread,
    seconds: z.number(),
    reason: z.string(),
  }),
  z.looseObject({ dragoman: z.literal('ask'), thread, call: z.string(), approval: z.string() }),
  /**
   * The input that a call runs with: a person changed it, or the model's stream had it without a name, or
   * differently.
   */
  z.looseObject({ dragoman: z.literal('input'), thread, call: z.string(), tool: z.string(), input: json }),
  /** More output of a running command. */
  z.looseObject({ dragoman: z.literal('output'), thread, call: z.string(), text: z.string() }),
  z.looseObject({ dragoman: z.literal('result'), thread, call: z.string(), output: json }),
  z.looseObject({ dragoman: z.literal('failure'), thread, call: z.string(), error: z.string() }),
  z.looseObject({ dragoman: z.literal('todos'), thread, todos: z.array(todo) }),
  z.looseObject({
    dragoman: z.literal('subagent'),
    thread,
    call: z.string(),
    description: z.string(),
  }),
  z.looseObject({
    dragoman: z.literal('subagent-end'),
    thread,
    call: z.string(),
    status: z.enum(['completed', 'failed', 'stopped']),
  }),
  z.looseObject({
    dragoman: z.literal('notice'),
    thread,
    level: z.enum(['info', 'warning', 'error']),
    code: z.string(),
    message: z.string(),
  }),
  /** The answer is over. */
  z.looseObject({
    dragoman: z.literal('done'),
    reason: z.enum(['finished', 'interrupted', 'failed']),
    finishReason: z.optional(z.enum(['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'])),
    error: z.optional(z.object({ kind: z.string(), message: z.string() })),
    duration: z.number(),
  }),
])

/** One parsed line of our own loop. */
export type AgentLine = z.infer<typeof agentLine>
