import * as z from 'zod/mini'
import { checkInput } from './check-input.ts'
import { isJson, isObject, type Json } from './json.ts'

/** An id that a client sends. */
export const idSchema = z
  .string()
  .check(
    z.regex(/^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,128}$/, 'use 1 to 128 letters, digits, "_", "-", "." or ":"'),
  )
const text = z.string().check(z.minLength(1, 'must not be empty'))

/** Any JSON value, not copied. Zod's own schema copies every value, which takes seconds for some bodies. */
export const jsonSchema = z.unknown().check(z.refine(isJson, 'must be JSON')) as unknown as z.ZodMiniType<
  Json,
  Json
>

/** What a person may put into a prompt. */
export const promptPartSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('file'), url: text, mediaType: text, filename: z.optional(z.string()) }),
])

const promptParts = z.array(promptPartSchema).check(z.minLength(1, 'a prompt needs at least one part'))

const partName = z
  .string()
  .check(z.minLength(1, 'must not be empty'), z.maxLength(1000, 'is not a valid part'))
const why = z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(1000, 'is too long'))

/** One context change: to some parts, a message, or an interaction of the main conversation. */
export const changeSchema = z
  .strictObject({
    do: z.enum(
      ['pin', 'unpin', 'archive', 'invalidate', 'restore', 'delete', 'undelete'],
      'must be pin, unpin, archive, invalidate, restore, delete or undelete',
    ),
    parts: z.optional(
      z
        .array(partName)
        .check(z.minLength(1, 'needs at least one part'), z.maxLength(1000, 'has too many parts')),
    ),
    message: z.optional(partName),
    interaction: z.optional(idSchema),
    reason: z.optional(why),
  })
  .check(
    z.refine(
      ({ parts, message, interaction }) => onlyOne(parts, message, interaction),
      'needs one of "parts", "message" and "interaction"',
    ),
  )

/** What to undo: changes or rollbacks by id, or all changes of a tool, in an interaction, or after an entry. */
export const rollbackSchema = {
  manipulations: z.optional(
    z
      .array(idSchema)
      .check(z.minLength(1, 'must not be empty'), z.maxLength(1000, 'has too many manipulations')),
  ),
  tool: z.optional(partName),
  interaction: z.optional(idSchema),
  after: z.optional(z.int().check(z.gte(0, 'must be an entry number, 0 or more'))),
  reason: z.optional(why),
  by: z.optional(why),
}

/** Whether a rollback has exactly one scope. */
export const saysWhat = (wish: {
  readonly manipulations?: unknown
  readonly tool?: unknown
  readonly interaction?: unknown
  readonly after?: unknown
}): boolean => onlyOne(wish.manipulations, wish.tool, wish.interaction, wish.after)

const onlyOne = (...given: readonly unknown[]) => given.filter(each => each !== undefined).length === 1

/** Several changes that are made together, or not at all. */
export const changesSchema = z
  .array(changeSchema)
  .check(z.minLength(1, 'needs at least one change'), z.maxLength(100, 'has too many changes'))

/** A message becomes one event, which must not block others while it is made and saved. */
const mostParts = 10_000

const hasFewParts = (message: Json) =>
  !isObject(message) ||
  Object.values(message).every(value => !Array.isArray(value) || value.length <= mostParts)

/** A flat array of messages, as older programs store it, to start a session with. */
export const legacySchema = z.strictObject({
  format: z.enum(['anthropic', 'openai-chat', 'ui'], 'must be anthropic, openai-chat or ui'),
  messages: z.array(jsonSchema).check(
    z.maxLength(100_000, 'has too many messages'),
    z.refine(messages => messages.every(hasFewParts), `has a message with more than ${mostParts} parts`),
  ),
})

/** The commands of a session. Strict: an unknown field is an error. */
export const commandSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('create'),
    session: z.optional(idSchema),
    agent: text,
    cwd: text,
    title: z.optional(text),
    options: z.optional(jsonSchema),
    legacy: z.optional(legacySchema),
  }),
  z.strictObject({
    type: z.literal('prompt'),
    session: idSchema,
    prompt: z.optional(idSchema),
    parts: promptParts,
    /** The message after which the prompt comes: later messages are replaced. Null means the start of the conversation. */
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
    input: z.optional(jsonSchema),
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
  z.strictObject({
    type: z.literal('assign'),
    session: idSchema,
    agent: text,
    options: z.optional(jsonSchema),
  }),
  z.strictObject({
    type: z.literal('configure'),
    session: idSchema,
    /** Options of its agent to change; null removes one. */
    options: z.record(z.string().check(z.maxLength(100, 'is too long')), jsonSchema),
  }),
  z.strictObject({ type: z.literal('rename'), session: idSchema, title: text }),
  z.strictObject({ type: z.literal('archive'), session: idSchema }),
  z.strictObject({ type: z.literal('restore'), session: idSchema }),
  z.strictObject({ type: z.literal('pin'), session: idSchema }),
  z.strictObject({ type: z.literal('unpin'), session: idSchema }),
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
  z.strictObject({
    type: z.literal('manipulate'),
    session: idSchema,
    changes: changesSchema,
    by: z.optional(why),
  }),
  z.strictObject({ type: z.literal('roll-back'), session: idSchema, ...rollbackSchema }),
  z.strictObject({
    type: z.literal('merge'),
    /** The session that gets the interactions, and the one that has them. */
    session: idSchema,
    from: idSchema,
    /** By default, all interactions of a branch since it branched off. */
    interactions: z.optional(
      z
        .array(idSchema)
        .check(z.minLength(1, 'must not be empty'), z.maxLength(1000, 'has too many interactions')),
    ),
  }),
])

/** A valid command. */
export type Command = z.infer<typeof commandSchema>
/** The commands of one type. */
export type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>

/** Checks a command from a client. Throws an error with a sentence that names the field if it is not valid. */
export function readCommand(value: unknown): Command {
  return checkInput(commandSchema, value, { whole: 'The command', piece: 'In the command, the field' })
}
