import * as z from 'zod/mini'

const effective = z.enum(['applied', 'next-boundary', 'advisory'])
const saving = { before: z.int(), after: z.int() }

/** A part that is not sent unchanged. */
export const contextPartSchema = z.object({
  part: z.string(),
  /** The short name that the model sees. */
  recall: z.string(),
  as: z.enum(['reference', 'placeholder', 'annotated', 'omitted']),
  rule: z.string(),
  why: z.string(),
  /** What to roll back so that it is sent whole again; null where nothing was done yet. */
  manipulation: z.nullable(z.string()),
  /** Since which request. */
  step: z.int(),
  tokens: z.nullable(z.object(saving)),
  /** The text that replaces it, if that is one text. */
  text: z.nullable(z.string()),
  /** The parts that hold the lines which are not sent twice. */
  sources: z.array(z.string()),
})

/** One line of the audit: a change, a change that was refused, or a rollback. */
export const manipulationSchema = z.object({
  /** Null for a change that was refused. */
  id: z.nullable(z.string()),
  seq: z.int(),
  at: z.int(),
  kind: z.enum(['applied', 'rejected', 'rolled-back']),
  /** Whether it is in effect: not refused and not undone. */
  holds: z.boolean(),
  actor: z.object({
    kind: z.enum(['tool', 'policy', 'person', 'model']),
    /** Of a tool: its name and its owner. */
    name: z.string(),
    owner: z.nullable(z.string()),
  }),
  /** The rule, or what a person did. */
  strategy: z.string(),
  /** The new validity of its parts; null if it only changes the request, or undoes changes. */
  to: z.nullable(z.string()),
  /** What it does to what is sent. */
  rendering: z.nullable(z.looseObject({ how: z.enum(['keep', 'annotate', 'clear']), moment: z.string() })),
  reason: z.string(),
  interactions: z.array(z.string()),
  parts: z.array(z.string()),
  /** Whether the interactions were meant as wholes. */
  whole: z.boolean(),
  trigger: z.nullable(z.string()),
  replacedBy: z.nullable(z.string()),
  causedBy: z.nullable(z.string()),
  tokens: z.nullable(z.int()),
  effective: z.nullable(effective),
  /** Why it was refused: the kind of reason, and the sentence. */
  refusal: z.nullable(z.object({ code: z.string(), why: z.string() })),
  /** What a rollback undid. */
  manipulations: z.array(z.string()),
})

/** What the calls about contexts and manipulations give. */
export const contextReplies = {
  getContext: z.object({
    agent: z.string(),
    /** When context changes apply for this agent, as a code and as a sentence. */
    effective,
    explanation: z.string(),
    /** `sent`: what a model was sent. `advisory`: no request was built here; this is what it would be. */
    source: z.enum(['sent', 'advisory']),
    policy: z.string(),
    request: z.object({
      /** The entry that records it; null for a preview. */
      seq: z.nullable(z.int()),
      step: z.int(),
      at: z.int(),
      interaction: z.nullable(z.string()),
      messages: z.int(),
      lastMessage: z.nullable(z.string()),
      tokens: z.object(saving),
      /** How many messages at the beginning were the same as in the request before. */
      keptMessages: z.int(),
      isPrefixKept: z.boolean(),
      isCold: z.boolean(),
      /** How many parts became something else with it. */
      changed: z.int(),
    }),
    /** An advisory one looks only at the end of a long conversation. */
    covered: z.object({ messages: z.int(), earlier: z.int() }),
    parts: z.array(contextPartSchema),
    /** How many parts there are on all pages. */
    total: z.int(),
    /** The `cursor` of the page before; null when there is none. */
    next: z.nullable(z.string()),
    /** Over all requests of the session that were built here; `tokens` is 0 if nothing was saved. */
    saved: z.object({ requests: z.int(), ...saving, tokens: z.int() }),
    /** The original words of the part that was asked for. */
    recalled: z.nullable(
      z.object({
        part: z.string(),
        message: z.string(),
        interaction: z.string(),
        role: z.string(),
        kind: z.string(),
        tool: z.nullable(z.string()),
        text: z.string(),
        json: z.unknown(),
      }),
    ),
    asOf: z.int(),
  }),
  listManipulations: z.object({
    manipulations: z.array(manipulationSchema),
    /** The `before` of the page before; null when there is none. */
    next: z.nullable(z.int()),
    asOf: z.int(),
  }),
  manipulate: z.object({ manipulations: z.array(z.string()), seq: z.int() }),
  rollBack: z.object({
    /** Null when nothing of it held any more. */
    rollback: z.nullable(z.string()),
    manipulations: z.array(z.string()),
    seq: z.nullable(z.int()),
  }),
  merge: z.object({ interactions: z.array(z.string()), seq: z.nullable(z.int()) }),
} as const
