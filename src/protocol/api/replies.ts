import * as z from 'zod/mini'
import type { OptionsSchema } from '../agent-options.ts'
import { contextReplies } from './context-replies.ts'
import { tokensSchema as tokens } from './fields.ts'
import { importReplies } from './imports.ts'
import { searchReply } from './search.ts'
import { usageReply } from './usage.ts'

const moment = z.object({ seq: z.int(), at: z.int() })
const trouble = z.object({ code: z.string(), message: z.string(), since: z.number() })

const handedOver = z.object({
  agent: z.string(),
  how: z.enum(['resumed', 'forked', 'transcript', 'compiled']),
  agentSession: z.nullable(z.string()),
  /** The transcript that it received, if its own session did not have the conversation. */
  transcript: z.nullable(z.object({ messages: z.int(), characters: z.int(), omitted: z.int() })),
  /** The agent's own session that should have been continued, when the agent no longer had it. */
  lost: z.optional(z.string()),
  seq: z.int(),
})

/** A session as programs get it. */
export const sessionSchema = z.object({
  id: z.string(),
  agent: z.string(),
  cwd: z.string(),
  title: z.nullable(z.string()),
  status: z.enum(['idle', 'running', 'waiting', 'failed']),
  archived: z.boolean(),
  deleted: z.boolean(),
  /** Whether a person keeps it at the top of the list. */
  pinned: z.boolean(),
  /** The agent's own name for the session, the newest one. */
  agentSession: z.nullable(z.string()),
  /** How the agent that was started last got to know the conversation before it; null when there was none. */
  handedOver: z.nullable(handedOver),
  /** How many places for agents there are, while it waits for one of them; null when it does not. */
  awaitsPlace: z.nullable(z.int()),
  model: z.nullable(z.string()),
  /** The git branch of its folder, as far as the agent reported it. */
  gitBranch: z.nullable(z.string()),
  /** In US dollars, as the agent reported it. */
  cost: z.nullable(z.number()),
  /** What tokens without a reported cost would cost at the prices of their models; only in lists. Absent where none is known. */
  estimatedCost: z.optional(z.number()),
  tokens,
  interactions: z.int(),
  /** The interaction that runs, and the entry at which it began. */
  running: z.nullable(z.object({ interaction: z.string(), trigger: z.string(), seq: z.int() })),
  /** How the last interaction ended; null while one runs, and before the first. */
  ended: z.nullable(z.enum(['finished', 'failed', 'interrupted'])),
  /** How many questions wait for an answer. */
  pending: z.int(),
  /** Where it branched off, if it did. */
  branch: z.nullable(z.object({ session: z.string(), message: z.string(), seq: z.int() })),
  createdAt: z.int(),
  /** When the last entry was written. While it runs, the agent has written nothing since. */
  updatedAt: z.int(),
  /** The last entry that is counted in. */
  seq: z.int(),
  /** Whether the agent is working on it in its own terminal, outside of Dragoman: prompts are refused meanwhile. */
  inTerminal: z.optional(z.boolean()),
})

/** One session, with its pending approvals and queued prompts, and why saving fails at the moment, if it does. */
export const sessionDetailsSchema = z.extend(sessionSchema, {
  /** What the agent is started with. */
  options: z.unknown(),
  queue: z.array(
    z.object({ prompt: z.string(), parts: z.array(z.unknown()), queued: moment, held: z.boolean() }),
  ),
  trouble: z.nullable(trouble),
})

/** A question of an agent and its one answer. */
export const approvalSchema = z.object({
  id: z.string(),
  status: z.enum(['pending', 'granted', 'denied', 'lapsed']),
  toolCallId: z.string(),
  tool: z.string(),
  input: z.unknown(),
  /** The input that the agent reported for the same call before it asked, if that was different. */
  earlierInput: z.optional(z.unknown()),
  /** What "always" would cover. Null when no rule can be made: `always: true` is then refused with 409. */
  rule: z.nullable(z.object({ tool: z.string(), input: z.unknown() })),
  /** Why no rule can be made; null when one can. */
  ruleReason: z.nullable(z.string()),
  thread: z.nullable(z.string()),
  interaction: z.nullable(z.string()),
  requested: moment,
  settled: z.nullable(moment),
  /** Who answered: a person, a rule, or the timeout. Null while it is pending. */
  by: z.nullable(z.enum(['person', 'rule', 'timeout', 'server'])),
  reason: z.nullable(z.string()),
  changedInput: z.optional(z.unknown()),
  always: z.boolean(),
  /** It was asked in another session, and is copied from there: its moments are those of the copy. */
  copied: z.optional(z.literal(true)),
})

/** A rule: calls of one tool of one agent with exactly this input are allowed, until the rule is revoked. */
export const ruleSchema = z.object({
  id: z.string(),
  agent: z.string(),
  tool: z.string(),
  /** The input that it covers, without its harmless keys. */
  input: z.unknown(),
  /** The command in the input, if there is one. */
  command: z.nullable(z.string()),
  /** The approval that was answered with "always". */
  approval: z.string(),
  made: moment,
  /** How many questions it has answered. */
  used: z.int(),
})

/** An entry. The fields of its event depend on the type. `raw` is present only on request. */
export const entrySchema = z.object({
  session: z.string(),
  seq: z.int(),
  id: z.string(),
  at: z.int(),
  event: z.looseObject({ type: z.string() }),
})

/** An AI SDK UI message. */
export const messageSchema = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  parts: z.array(z.looseObject({ type: z.string() })),
})

/** A message with what is known about it, and the ids of its parts: enough to go on folding entries into it. */
export const storedMessageSchema = z.object({
  message: messageSchema,
  partIds: z.array(z.nullable(z.string())),
  interaction: z.nullable(z.string()),
  thread: z.nullable(z.string()),
  parent: z.nullable(z.string()),
  agent: z.string(),
  synthetic: z.boolean(),
  firstSeq: z.int(),
  lastSeq: z.int(),
  validity: z.enum(['active', 'invalidated', 'superseded', 'archived']),
  /** The interaction that replaced it in the conversation. */
  replacedBy: z.nullable(z.string()),
})

/** When an agent thought something: the part of reasoning, and when it began and ended. */
const thoughtSchema = z.object({
  thread: z.nullable(z.string()),
  message: z.string(),
  part: z.string(),
  start: moment,
  end: z.nullable(moment),
})

/** One prompt, or other cause, and all that followed until the agent was done. */
export const interactionSchema = z.object({
  id: z.string(),
  trigger: z.enum(['user', 'agent', 'schedule', 'synthetic']),
  agent: z.string(),
  prompt: z.nullable(z.string()),
  /** The beginning of the prompt, with `texts=1`. */
  text: z.optional(z.string()),
  state: z.enum(['open', 'closed', 'aborted']),
  outcome: z.nullable(z.enum(['finished', 'failed', 'interrupted'])),
  /** Why it ended as it did, unless it simply finished. */
  reason: z.nullable(z.string()),
  start: moment,
  stop: z.nullable(moment),
  validity: z.enum(['active', 'invalidated', 'superseded', 'archived']),
  /** Whether a person deleted, or pinned, the whole. */
  deleted: z.boolean(),
  pinned: z.boolean(),
  /** Its messages in all threads, in the order in which they began. */
  messages: z.array(
    z.object({
      id: z.string(),
      thread: z.nullable(z.string()),
      role: z.enum(['user', 'assistant', 'system']),
    }),
  ),
  /** The number of lines in the work log, by outcome. */
  work: z.object({ pending: z.int(), success: z.int(), failure: z.int(), partial: z.int() }),
})

/** A tool call and its result, for people. */
export const workLogEntrySchema = z.object({
  /** The part of the message that holds the call. */
  toolCallId: z.string(),
  message: z.string(),
  thread: z.nullable(z.string()),
  interaction: z.nullable(z.string()),
  tool: z.string(),
  /** What the tool is for, whatever its agent calls it. */
  family: z.string(),
  effect: z.enum(['read', 'write', 'query', 'run', 'plan', 'ask', 'delegate']),
  sentence: z.string(),
  /** The key parameters, short and without secrets. */
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  outcome: z.enum(['pending', 'success', 'failure', 'partial']),
  /** The answer to the approval; null if there was none. */
  approval: z.nullable(z.enum(['asked', 'allowed', 'denied'])),
  impact: z.array(
    z.object({
      resource: z.string(),
      change: z.enum(['created', 'changed', 'deleted', 'read', 'ran']),
    }),
  ),
  /** Milliseconds from the moment it could run to its result. */
  duration: z.nullable(z.int()),
  start: z.nullable(moment),
  stop: z.nullable(moment),
  /** The entries it comes from, and those of them with a native line. */
  seqs: z.array(z.int()),
  raws: z.array(z.int()),
})

/** One option of an agent, as a JSON schema. */
const optionSchema = z.looseObject({
  type: z.optional(z.string()),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  enum: z.optional(z.array(z.unknown())),
  /** Some valid values. */
  examples: z.optional(z.array(z.unknown())),
  'x-place': z.optional(z.enum(['bar', 'advanced'])),
  /** It can only be set when a session is created. */
  'x-new': z.optional(z.literal(true)),
  /** Display names of values. */
  'x-labels': z.optional(z.record(z.string(), z.string())),
  /** What to know before choosing a value. */
  'x-risks': z.optional(z.record(z.string(), z.string())),
  /** Rules for approvals mean the same whatever its value is. */
  'x-keeps-rules': z.optional(z.literal(true)),
})

const settingsSchema = z.object({
  /** The default agent; null for the best one that is ready. `isFixed`: it was set when the server was started. */
  agent: z.object({ value: z.nullable(z.string()), isFixed: z.boolean() }),
  /** How much of the context is trimmed, unless a session sets it. */
  context: z.object({ value: z.string(), isFixed: z.boolean() }),
  /** The options of new sessions, by agent. */
  options: z.record(z.string(), z.record(z.string(), z.unknown())),
  folder: z.object({ data: z.string(), default: z.string(), roots: z.array(z.string()) }),
  /** The date of the price table, and prices that replace it, by model. */
  prices: z.object({ date: z.nullable(z.string()), own: z.record(z.string(), z.unknown()) }),
})

const saved = z.object({ seq: z.nullable(z.int()) })

/** What each call gives back as JSON. A call that is not here gives a stream, text or bytes. */
export const replies = {
  ...contextReplies,
  getLiveness: z.object({ status: z.literal('ok') }),
  getReadiness: z.object({ status: z.literal('ready') }),
  signOut: z.object({ signedOut: z.literal('every browser') }),
  createTicket: z.object({ ticket: z.string(), url: z.string(), expiresAt: z.int() }),
  listAgents: z.object({
    agents: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        /** A coding agent that is a program, an API of models, or the demo. Older servers leave it out. */
        kind: z.optional(z.enum(['agent', 'model', 'demo'])),
        /** `broken`: installed, but cannot be run. */
        status: z.enum(['ready', 'needs-login', 'missing', 'broken']),
        version: z.nullable(z.string()),
        /** The tested versions, as text. */
        tested: z.nullable(z.string()),
        /** How the version compares with the tested ones. */
        age: z.nullable(z.enum(['older', 'tested', 'newer'])),
        /** Null where it cannot be known without touching credentials, or where none is needed. */
        isLoggedIn: z.nullable(z.boolean()),
        /** What it needs in the place of a login; absent where a login helps. */
        lacks: z.optional(z.enum(['key', 'token'])),
        advice: z.nullable(z.string()),
        capabilities: z.record(z.string(), z.boolean()),
        /** Its options as a JSON schema; null where it declares none. */
        options: z.nullable(
          z.looseObject({
            type: z.literal('object'),
            properties: z.record(z.string(), optionSchema),
          }) as unknown as z.ZodMiniType<OptionsSchema, OptionsSchema>,
        ),
        default: z.boolean(),
      }),
    ),
  }),
  listFolders: z.object({
    /** The real path of the folder; null where none was given. */
    path: z.nullable(z.string()),
    /** The folder above it; null when sessions may not work there. */
    parent: z.nullable(z.string()),
    folders: z.array(z.object({ name: z.string(), path: z.string() })),
    /** Whether there are more folders than are listed. */
    isCut: z.boolean(),
    /** The default folder of new sessions. */
    default: z.string(),
    /** The folders that agents may work in, including subfolders. */
    roots: z.array(z.string()),
  }),
  getSettings: settingsSchema,
  changeSettings: settingsSchema,
  createSession: sessionDetailsSchema,
  listSessions: z.object({ sessions: z.array(sessionSchema), next: z.nullable(z.string()) }),
  getSession: sessionDetailsSchema,
  changeSession: sessionDetailsSchema,
  deleteSession: saved,
  getSnapshot: z.object({
    session: sessionDetailsSchema,
    messages: z.array(storedMessageSchema),
    approvals: z.array(approvalSchema),
    rules: z.array(ruleSchema),
    /** The `before` of the page before; null when there is none. */
    next: z.nullable(z.int()),
    asOf: z.int(),
    /** What `createSessionView` needs to continue with the entries after `asOf`. Internal, and it may change. */
    continuation: z.unknown(),
  }),
  listMessages: z.object({
    /** None where they were asked for in the words of a provider. */
    messages: z.array(messageSchema),
    next: z.nullable(z.int()),
    asOf: z.int(),
    /** The messages as one document of the format that was asked for. */
    document: z.optional(z.unknown()),
    /** What that format has no place for: the message, the part, where in it, and why. */
    losses: z.optional(
      z.array(
        z.object({
          message: z.nullable(z.string()),
          part: z.nullable(z.string()),
          path: z.string(),
          why: z.string(),
        }),
      ),
    ),
  }),
  listInteractions: z.object({
    interactions: z.array(interactionSchema),
    /** The `before` of the page before; null when there is none. */
    next: z.nullable(z.int()),
    asOf: z.int(),
  }),
  listWorkLog: z.object({
    entries: z.array(workLogEntrySchema),
    /** The `cursor` of the page before; null when there is none. */
    next: z.nullable(z.string()),
    asOf: z.int(),
  }),
  listThinking: z.object({ thoughts: z.array(thoughtSchema), asOf: z.int() }),
  listEntries: z.object({ entries: z.array(entrySchema), head: z.int() }),
  prompt: z.object({
    id: z.string(),
    interaction: z.nullable(z.string()),
    queued: z.boolean(),
    repeated: z.boolean(),
    seq: z.int(),
  }),
  withdrawPrompt: saved,
  continueQueue: z.object({ prompts: z.int() }),
  interrupt: z.object({ interaction: z.nullable(z.string()), saved: z.boolean() }),
  listApprovals: z.object({ approvals: z.array(approvalSchema), rules: z.array(ruleSchema) }),
  answerApproval: z.object({ approval: z.string(), seq: z.int() }),
  revokeRule: saved,
  listAllApprovals: z.object({
    approvals: z.array(z.extend(approvalSchema, { session: z.string() })),
    /** The sessions of these approvals, in no order. */
    sessions: z.array(sessionSchema),
    /** The `cursor` of the next page; null when there is none. */
    next: z.nullable(z.string()),
  }),
  listRules: z.object({
    rules: z.array(z.extend(ruleSchema, { session: z.string() })),
    /** The sessions of these rules, in no order. */
    sessions: z.array(sessionSchema),
  }),
  revokeRuleAnywhere: saved,
  branch: sessionDetailsSchema,
  getUsage: usageReply,
  ...importReplies,
  search: searchReply,
} as const
