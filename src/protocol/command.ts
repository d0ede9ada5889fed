import * as z from 'zod/mini'
import { DragomanError } from './error.ts'

const id = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_.:-]{1,128}$/, 'use 1 to 128 letters, digits, "_", "-", "." or ":"'))
const text = z.string().check(z.minLength(1, 'must not be empty'))

const promptPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('file'), url: text, mediaType: text, filename: z.optional(z.string()) }),
])

/** What a person may ask of a session. Strict: an unknown field is a mistake that we say. */
export const commandSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('create'),
    session: z.optional(id),
    agent: text,
    cwd: text,
    title: z.optional(text),
    options: z.optional(z.json()),
  }),
  z.strictObject({
    type: z.literal('prompt'),
    session: id,
    prompt: z.optional(id),
    parts: z.array(promptPart).check(z.minLength(1, 'a prompt needs at least one part')),
  }),
  z.strictObject({ type: z.literal('withdraw'), session: id, prompt: id }),
  z.strictObject({ type: z.literal('continue'), session: id }),
  z.strictObject({ type: z.literal('interrupt'), session: id }),
  z.strictObject({
    type: z.literal('answer'),
    session: id,
    approval: id,
    approved: z.boolean(),
    reason: z.optional(z.string()),
    input: z.optional(z.json()),
    always: z.optional(z.boolean()),
  }),
  z.strictObject({ type: z.literal('rename'), session: id, title: text }),
  z.strictObject({ type: z.literal('archive'), session: id }),
  z.strictObject({ type: z.literal('restore'), session: id }),
  z.strictObject({
    type: z.literal('set-validity'),
    session: id,
    interaction: id,
    parts: z.optional(z.array(text)),
    to: z.enum(['active', 'invalidated', 'superseded', 'archived']),
    by: text,
    reason: text,
    replacedBy: z.optional(id),
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
