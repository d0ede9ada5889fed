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

/** `unfinished` leaves it open, as if there were more to come. */
const words = z.strictObject({
  type: z.literal('text'),
  delay,
  text,
  every,
  unfinished: z.optional(z.boolean()),
})

/** `repeated` says whether the whole message brings it once more at the end. */
const thinking = z.strictObject({
  type: z.literal('thinking'),
  delay,
  text,
  every,
  repeated: z.optional(z.boolean()),
})

/**
 * A call gives an output or an error, after so many milliseconds, or `late`: when the answer is over. Until then it has brought
 * each of `progress`, one after the other.
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

/** Calls that run side by side. */
const tools = z.strictObject({ type: z.literal('tools'), delay, calls: z.array(call) })

/** A call that a person must approve; it runs with the input in the answer, if there is one. */
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

/** A subagent with steps of its own, in which there may be subagents. */
const subagent = z.strictObject({
  type: z.literal('subagent'),
  delay,
  agent: text,
  description: text,
  get steps() {
    return z.array(step)
  },
})

/** An image; without an address, a small one of its own. */
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

/** A call with an output of so many characters. */
const longOutput = z.strictObject({
  type: z.literal('long-output'),
  delay,
  length: z.number().check(z.int(), z.positive()),
})

/** Text that stands for a while and is then taken back, and what is said instead. */
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

/** The process exits here, with code 1 or the one given. */
const crash = z.strictObject({ type: z.literal('crash'), delay, code: z.optional(z.number()) })

/** A line as it is, be it nonsense: text, or bytes in base64, so many times over; `open` leaves out the newline. */
const raw = z.strictObject({
  type: z.literal('raw'),
  delay,
  text: z.optional(text),
  base64: z.optional(text),
  times: z.optional(z.number().check(z.int(), z.positive())),
  open: z.optional(z.boolean()),
})

/** Something for its log. */
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
/** The answers of a scripted agent, one list of steps for each prompt; the last one serves for all that follow. */
export type Script = z.infer<typeof script>

/** Checks a script: a list of steps, or `{answers: [steps, …]}`. A bad one gets a sentence that names the place. */
export function readScript(value: unknown, name: string): Script {
  return checkInput(script, Array.isArray(value) ? { answers: [value] } : value, {
    whole: name,
    piece: `${name} cannot be read:`,
  })
}
