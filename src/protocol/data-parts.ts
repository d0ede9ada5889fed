import type { Json } from './json.ts'

/** Tokens of one or more model requests. */
export interface Tokens {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** One request to a model: its price may depend on its size, and on how long the cache keeps what it wrote. */
export interface ModelRequest {
  readonly id: string
  readonly tokens: Tokens
  /** How many of `tokens.cacheWrite` were written to stay for an hour; none by default. */
  readonly hourWrites?: number
}

/** The totals that an agent reports for its session so far; null where it reports none. */
export interface SessionTotals {
  readonly tokens: Tokens | null
  /** In US dollars. */
  readonly cost: number | null
  /** The totals when earlier connections continued the session, the newest first. An agent that was killed continues to count from there. */
  readonly earlier?: readonly SessionTotals[]
}

/** One line of an agent's plan. */
export interface Todo {
  readonly text: string
  readonly status: 'pending' | 'in-progress' | 'completed' | 'cancelled'
}

/** One limit of a subscription, as the agent reported it. */
export interface UsageLimit {
  /** In words, such as “5 hours” or “week”. */
  readonly name: string
  /** The used share: 1 is all of it. Null if unknown. */
  readonly used: number | null
  /** When it starts again from zero, in milliseconds since 1970; null if unknown. */
  readonly resetsAt: number | null
  readonly isReached: boolean
}

/** Our data parts, by the name that follows `data-`. None of them is transient. */
export interface DataParts {
  /** The agent, and its own id for the session. */
  readonly session: {
    readonly agent: string
    readonly agentSession: string | null
    readonly model: string | null
    readonly cwd: string | null
    readonly version?: string
    /** The git branch in the folder, as far as the agent reports it. */
    readonly branch?: string
    /** The title that the agent gave the session. */
    readonly title?: string
  }
  /** What this message has used so far. The last such part of a message is the usage of the whole message. */
  readonly usage: {
    readonly tokens: Tokens
    readonly cost: number | null
    readonly model: string | null
    /** What the newest request to the model has used so far. Missing where the agent reports only sums of requests. */
    readonly request?: ModelRequest
  }
  /** The limits of the subscription that the agent works with. */
  readonly limits: { readonly limits: readonly UsageLimit[] }
  /** The current plan. */
  readonly todos: { readonly todos: readonly Todo[] }
  /** A problem that did not end the answer, or a fact worth showing. */
  readonly notice: {
    readonly level: 'info' | 'warning' | 'error'
    readonly code: string
    readonly message: string
  }
  /** Parts that the agent retracted: part ids and tool call ids, and the index of each part in the message. */
  readonly retracted: { readonly ids: readonly string[]; readonly indexes: readonly number[] }
  /** A running or ended subagent. The part's id is the id of the tool call that started it. */
  readonly subagent: {
    readonly agent: string
    readonly description: string
    readonly status: 'running' | 'completed' | 'failed' | 'stopped'
    readonly toolCalls: number
    readonly tokens: number | null
    readonly cost: number | null
    readonly lastWords: string | null
  }
  /** A tool output that was shortened for the client, and the entry that has all of it. */
  readonly shortened: { readonly toolCallId: string; readonly bytes: number; readonly seq: number }
  /** A native message of a kind we do not know. */
  readonly unknown: { readonly agent: string; readonly kind: string; readonly native: Json }
}

/** The name of one of our data parts, without `data-`. */
export type DataName = keyof DataParts
