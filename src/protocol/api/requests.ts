import * as z from 'zod/mini'
import { idSchema, jsonSchema, legacySchema, promptPartSchema } from '../command.ts'
import { contextRequests } from './context-requests.ts'
import { name, cursor, seq, flag, limit, dialect, inInteraction, inSession, reading } from './fields.ts'
import { searchQuery } from './search.ts'
import { usageQuery } from './usage.ts'

interface SentPart {
  readonly type: string
  readonly [key: string]: unknown
}

/** A part of a message that a client of the AI SDK sends. It is not copied: a conversation has many. */
export const sentPartSchema = z
  .unknown()
  .check(
    z.refine(
      value => typeof (value as { readonly type?: unknown } | null | undefined)?.type === 'string',
      'must be an object with a "type"',
    ),
  ) as unknown as z.ZodMiniType<SentPart, SentPart>

/**
 * What each call takes: parameters of the path, of the query, and the body. Strict: an unknown field is a mistake that
 * we say. A call that is not here takes nothing.
 */
export const requests = {
  ...contextRequests,
  /** With a session: whether its agent can run as that session has it run. */
  listAgents: { query: z.strictObject({ session: z.optional(idSchema) }) },
  createSession: {
    body: z.strictObject({
      id: z.optional(idSchema),
      agent: z.optional(name),
      cwd: z.optional(
        z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(4096, 'is too long')),
      ),
      title: z.optional(name),
      options: z.optional(jsonSchema),
      legacy: z.optional(legacySchema),
    }),
  },
  listSessions: {
    query: z.strictObject({
      query: z.optional(z.string().check(z.maxLength(1000, 'is too long'))),
      agent: z.optional(name),
      status: z.optional(
        z.enum(['idle', 'running', 'waiting', 'failed'], 'must be idle, running, waiting or failed'),
      ),
      archived: z.optional(flag),
      deleted: z.optional(flag),
      pinned: z.optional(flag),
      cursor: z.optional(cursor),
      limit: z.optional(limit(500)),
    }),
  },
  getUsage: { query: usageQuery },
  search: { query: searchQuery },
  getSession: { params: inSession, query: z.strictObject(reading) },
  changeSession: {
    params: inSession,
    body: z.strictObject({
      title: z.optional(name),
      archived: z.optional(z.boolean()),
      pinned: z.optional(z.boolean()),
      deleted: z.optional(z.literal(false, 'can only be set to false; use DELETE to delete')),
      agent: z.optional(name),
      /** What the agent is started with from now on: beside `agent` all of its options, alone only those to change. */
      options: z.optional(jsonSchema),
    }),
  },
  deleteSession: { params: inSession },
  getSnapshot: {
    params: inSession,
    query: z.strictObject({ ...reading, limit: z.optional(limit(1000)) }),
  },
  listMessages: {
    params: inSession,
    query: z.strictObject({
      ...reading,
      thread: z.optional(z.string().check(z.maxLength(1000, 'is not a valid thread'))),
      before: z.optional(seq),
      limit: z.optional(limit(1000)),
      exclude: z.optional(z.literal('running', 'can only be "running"')),
      as: z.optional(
        z.enum(
          ['anthropic', 'openai-chat', 'openai-responses', 'gemini', 'ui'],
          'must be anthropic, openai-chat, openai-responses, gemini or ui',
        ),
      ),
    }),
  },
  listInteractions: {
    params: inSession,
    query: z.strictObject({
      ...reading,
      state: z.optional(z.enum(['open', 'closed', 'aborted'], 'must be open, closed or aborted')),
      validity: z.optional(
        z.enum(
          ['active', 'invalidated', 'superseded', 'archived'],
          'must be active, invalidated, superseded or archived',
        ),
      ),
      trigger: z.optional(
        z.enum(['user', 'agent', 'schedule', 'synthetic'], 'must be user, agent, schedule or synthetic'),
      ),
      agent: z.optional(name),
      /** With the beginning of each prompt; at most 100 interactions then. */
      texts: z.optional(flag),
      before: z.optional(seq),
      limit: z.optional(limit(500)),
    }),
  },
  listWorkLog: {
    params: inSession,
    query: z.strictObject({
      ...reading,
      interaction: z.optional(idSchema),
      message: z.optional(name),
      tool: z.optional(name),
      outcome: z.optional(
        z.enum(['pending', 'success', 'failure', 'partial'], 'must be pending, success, failure or partial'),
      ),
      thread: z.optional(z.string().check(z.maxLength(1000, 'is not a valid thread'))),
      cursor: z.optional(cursor),
      limit: z.optional(limit(1000)),
    }),
  },
  listThinking: { params: inInteraction, query: z.strictObject(reading) },
  listEntries: {
    params: inSession,
    query: z.strictObject({
      ...reading,
      after: z.optional(seq),
      limit: z.optional(limit(10_000)),
      raw: z.optional(flag),
      dialect: z.optional(dialect),
    }),
  },
  getRaw: {
    params: z.strictObject({ session: idSchema, seq }),
    query: z.strictObject(reading),
  },
  prompt: {
    params: inSession,
    body: z
      .strictObject({
        id: z.optional(idSchema),
        text: z.optional(z.string().check(z.minLength(1, 'must not be empty'))),
        parts: z.optional(z.array(promptPartSchema).check(z.minLength(1, 'needs at least one part'))),
        parentId: z.optional(z.nullable(idSchema)),
      })
      .check(
        z.refine(
          ({ text, parts }) => (text === undefined) !== (parts === undefined),
          'needs either "text" or "parts"',
        ),
      ),
  },
  withdrawPrompt: { params: z.strictObject({ session: idSchema, prompt: idSchema }) },
  continueQueue: { params: inSession },
  interrupt: { params: inSession },
  listApprovals: {
    params: inSession,
    query: z.strictObject({ ...reading, all: z.optional(flag) }),
  },
  listAllApprovals: {
    query: z.strictObject({
      status: z.optional(z.enum(['pending', 'settled'], 'must be pending or settled')),
      cursor: z.optional(cursor),
      limit: z.optional(limit(100)),
    }),
  },
  answerApproval: {
    params: z.strictObject({ session: idSchema, approval: idSchema }),
    body: z.strictObject({
      approved: z.boolean(),
      reason: z.optional(z.string().check(z.maxLength(10_000, 'is too long'))),
      input: z.optional(jsonSchema),
      always: z.optional(z.boolean()),
    }),
  },
  /** Without a path: only the folders to begin with. */
  listFolders: {
    query: z.strictObject({
      path: z.optional(
        z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(4096, 'is too long')),
      ),
    }),
  },
  /** Null returns to the default. Options of an agent are replaced as a whole. */
  changeSettings: {
    body: z.strictObject({
      agent: z.optional(z.nullable(name)),
      context: z.optional(
        z.nullable(
          z.enum(
            ['off', 'lossless', 'safe', 'balanced', 'aggressive'],
            'must be off, lossless, safe, balanced or aggressive',
          ),
        ),
      ),
      options: z.optional(z.record(name, jsonSchema)),
    }),
  },
  listRules: {},
  startImport: {
    body: z.strictObject({
      agents: z.optional(z.array(name).check(z.minLength(1, 'needs at least one agent'))),
      path: z.optional(
        z
          .string()
          .check(z.maxLength(4096, 'is too long'), z.regex(/^\/[^\0]*$/, 'must be a full path, from "/" on')),
      ),
      unpackLimit: z.optional(z.int().check(z.gte(1, 'must be a number of bytes, 1 or more'))),
    }),
  },
  getImport: {
    params: z.strictObject({ import: idSchema }),
    query: z.strictObject({ after: z.optional(seq) }),
  },
  changeImports: { body: z.strictObject({ following: z.boolean() }) },
  changeImport: {
    params: z.strictObject({ import: idSchema }),
    body: z.strictObject({ paused: z.boolean() }),
  },
  stopImport: { params: z.strictObject({ import: idSchema }) },
  revokeRuleAnywhere: { params: z.strictObject({ rule: idSchema }) },
  revokeRule: { params: z.strictObject({ session: idSchema, rule: idSchema }) },
  branch: {
    params: inSession,
    body: z.strictObject({
      messageId: idSchema,
      parts: z.optional(z.array(promptPartSchema).check(z.minLength(1, 'needs at least one part'))),
    }),
  },
  /** The body of the AI SDK's `DefaultChatTransport`; what else a page puts into it is its own business. */
  chat: {
    query: z.strictObject({ dialect: z.optional(dialect) }),
    body: z.looseObject({
      id: idSchema,
      messages: z
        .array(
          z.looseObject({
            id: z.string(),
            role: z.enum(['user', 'assistant', 'system'], 'must be user, assistant or system'),
            parts: z.array(sentPartSchema),
          }),
        )
        .check(z.minLength(1, 'needs at least one message')),
      trigger: z.optional(
        z.enum(['submit-message', 'regenerate-message'], 'must be submit-message or regenerate-message'),
      ),
      messageId: z.optional(z.nullable(z.string())),
      agent: z.optional(name),
      cwd: z.optional(z.string()),
    }),
  },
  resumeChat: { params: inSession, query: z.strictObject({ dialect: z.optional(dialect) }) },
} as const
