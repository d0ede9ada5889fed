import * as z from 'zod/mini'
import { DragomanError } from './error.ts'

/** Names that come from outside. */
export const idSchema = z
  .string()
  .check(
    z.regex(/^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,128}$/, 'use 1 to 128 letters, digits, "_", "-", "." or ":"'),
  )
const text = z.string().check(z.minLength(1, 'must not be empty'))

/** What a person may put into a prompt. */
export const promptPartSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('file'), url: text, mediaType: text, filename: z.optional(z.string()) }),
])

const promptParts = z.array(promptPartSchema).check(z.minLength(1, 'a prompt needs at least one part'))

/** What a person may ask of a session. Strict: an unknown field is a mistake that we say. */
export const commandSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('create'),
    session: z.optional(idSchema),
    agent: text,
    cwd: text,
    title: z.optional(text),
    options: z.optional(z.json()),
  }),
  z.strictObject({
    type: z.literal('prompt'),
    session: idSchema,
    prompt: z.optional(idSchema),
    parts: promptParts,
    /** The message after which it comes: what came after that is replaced. Null is the very beginning. */
    parent: z.optional(z.nullable(idSchema)),
  }),
  z.strictObject({ type: z.literal('withdraw'), session: idSchema, prompt: idSchema }),
  z.strictObject({ type: z.literal('continue'), session: idSchema }),
  z.strictObject({ type: z.literal('interrupt'), session: idSchema }),
  z.strictObject({
    type: z.literal('answer'),
    session: idSchema,
    approval: idSchema,
    approved: z.boolean(),
    reason: z.optional(z.string()),
    input: z.optional(z.json()),
    always: z.optional(z.boolean()),
  }),
  z.strictObject({ type: z.literal('revoke'), session: idSchema, rule: idSchema }),
  z.strictObject({
    type: z.literal('branch'),
    session: idSchema,
    message: idSchema,
    parts: z.optional(promptParts),
    /** The name of the new session. */
    branch: z.optional(idSchema),
  }),
  z.strictObject({ type: z.literal('assign'), session: idSchema, agent: text }),
  z.strictObject({ type: z.literal('rename'), session: idSchema, title: text }),
  z.strictObject({ type: z.literal('archive'), session: idSchema }),
  z.strictObject({ type: z.literal('restore'), session: idSchema }),
  z.strictObject({ type: z.literal('delete'), session: idSchema }),
  z.strictObject({ type: z.literal('undelete'), session: idSchema }),
  z.strictObject({
    type: z.literal('set-validity'),
    session: idSchema,
    interaction: idSchema,
    parts: z.optional(z.array(text)),
    to: z.enum(['active', 'invalidated', 'superseded', 'archived']),
    by: text,
    reason: text,
    replacedBy: z.optional(idSchema),
  }),
])

/** One wish of a person, checked. */
export type Command = z.infer<typeof commandSchema>
/** The commands of one type. */
export type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>

/** Checks a command from outside; a bad one gets a sentence that names the field. */
export function readCommand(value: unknown): Command {
  const result = commandSchema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'The command' : `"${issue.path.join('.')}"`
  throw new DragomanError('invalid-input', `${where} is not valid: ${issue?.message ?? 'unknown reason'}.`)
}
