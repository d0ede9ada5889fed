import * as z from 'zod/mini'
import { checkInput } from '../../protocol/check-input.ts'
import type { Json } from '../../protocol/json.ts'

const json = z.custom<Json>(value => value !== undefined, 'must be given')
const text = z.string()
const milliseconds = z.optional(z.number().check(z.nonnegative()))
/** The pause before a step. */
const delay = milliseconds
/** The pause after each word. */
const every = milliseconds

/** `unfinished` leaves it open, as if more would follow. */
const words = z.strictObject({
  type: z.literal('text'),
  delay,
  text,
  every,
  unfinished: z.optional(z.boolean()),
})

/** `repeated` says whether the complete message at the end has it again. */
const thinking = z.strictObject({
  type: z.literal('thinking'),
  delay,
  text,
  every,
  repeated: z.optional(z.boolean()),
})

/**
 * A call ends with an output or an error, after some milliseconds, or `late`: after the answer. Before that, it shows each
 * entry of `progress`, one after the other.
 */
const call = z.strictObject({
  tool: text,
  input: json,
  output: z.optional(json),
  progress: z.optional(z.array(json)),
  error: z.optional(text),
  takes: milliseconds,
  late: z.optional(z.boolean()),
})

/** Calls that run in parallel. */
const tools = z.strictObject({ type: z.literal('tools'), delay, calls: z.array(call) })

/** A call that a person must approve; it runs with the input of the answer, if it has one. */
const approval = z.strictObject({
  type: z.literal('approval'),
  delay,
  tool: text,
  input: json,
  output: json,
})

const question = z.strictObject({
  type: z.literal('question'),
  delay,
  question: text,
  options: z.array(text),
})

/** A subagent with its own steps, which may include subagents. */
const subagent = z.strictObject({
  type: z.literal('subagent'),
  delay,
  agent: text,
  description: text,
  get steps() {
    return z.array(step)
  },
})

/** An image; without an address, a small built-in one. */
const image = z.strictObject({
  type: z.literal('image'),
  delay,
  url: z.optional(text),
  mediaType: z.optional(text),
})

const todos = z.strictObject({
  type: z.literal('todos'),
  delay,
  todos: z.array(
    z.strictObject({ text, status: z.enum(['pending', 'in-progress', 'completed', 'cancelled']) }),
  ),
})

/** A call with an output of a given length. */
const longOutput = z.strictObject({
  type: z.literal('long-output'),
  delay,
  length: z.number().check(z.int(), z.positive()),
})

/** Text that is retracted after a while, and the text that replaces it. */
const retraction = z.strictObject({
  type: z.literal('retraction'),
  delay,
  text,
  instead: text,
  every,
  stands: milliseconds,
})

const notice = z.strictObject({
  type: z.literal('notice'),
  delay,
  level: z.enum(['info', 'warning', 'error']),
  code: text,
  message: text,
})

/** The answer fails here. */
const error = z.strictObject({ type: z.literal('error'), delay, kind: text, message: text })

/** Nothing happens until it is interrupted. */
const hang = z.strictObject({ type: z.literal('hang'), delay })

/** The process exits here, with the given code or with 1. */
const crash = z.strictObject({ type: z.literal('crash'), delay, code: z.optional(z.number()) })

/** A literal line, valid or not: text, or bytes in base64, repeated a number of times; `open` leaves out the newline. */
const raw = z.strictObject({
  type: z.literal('raw'),
  delay,
  text: z.optional(text),
  base64: z.optional(text),
  times: z.optional(z.number().check(z.int(), z.positive())),
  open: z.optional(z.boolean()),
})

/** A text for its log. */
const log = z.strictObject({ type: z.literal('log'), delay, text })

const step = z.discriminatedUnion('type', [
  words,
  thinking,
  tools,
  approval,
  question,
  subagent,
  image,
  todos,
  longOutput,
  retraction,
  notice,
  error,
  hang,
  crash,
  raw,
  log,
])

const script = z.strictObject({ answers: z.array(z.array(step)).check(z.minLength(1)) })

/** One thing that a scripted agent does. Times are in milliseconds. */
export type Step = z.infer<typeof step>
/** The steps of one type. */
export type StepOf<Type extends Step['type']> = Extract<Step, { readonly type: Type }>
/** The answers of a scripted agent, one list of steps per prompt; the last one is used for all later prompts. */
export type Script = z.infer<typeof script>

/** Checks a script: a list of steps, or `{answers: [steps, …]}`. The error names the position of the mistake. */
export function readScript(value: unknown, name: string): Script {
  return checkInput(script, Array.isArray(value) ? { answers: [value] } : value, {
    whole: name,
    piece: `${name} cannot be read:`,
  })
}
