import type { Json } from './json.ts'

/** Tokens of one or more model requests. */
export interface Tokens {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** What an agent reports as the totals of its own session so far; null where it reports none. */
export interface SessionTotals {
  readonly tokens: Tokens | null
  /** In US dollars. */
  readonly cost: number | null
  /** What the totals were when earlier connections continued the session, the newest first: a killed agent counts on from there. */
  readonly earlier?: readonly SessionTotals[]
}

/** One line of an agent's plan. */
export interface Todo {
  readonly text: string
  readonly status: 'pending' | 'in-progress' | 'completed' | 'cancelled'
}

/** Our data parts, by the name that follows `data-`. None of them is transient. */
export interface DataParts {
  /** Who speaks: the agent, and its own name for the session. */
  readonly session: {
    readonly agent: string
    readonly agentSession: string | null
    readonly model: string | null
    readonly cwd: string | null
    readonly version?: string
    /** The title that the agent gave the session. */
    readonly title?: string
  }
  /** What this message has used so far; the last one in a message counts for the whole of it. */
  readonly usage: { readonly tokens: Tokens; readonly cost: number | null; readonly model: string | null }
  /** The current plan. */
  readonly todos: { readonly todos: readonly Todo[] }
  /** Trouble that did not end the answer, or a fact worth a line. */
  readonly notice: {
    readonly level: 'info' | 'warning' | 'error'
    readonly code: string
    readonly message: string
  }
  /** Parts that the agent retracted: part ids and tool call ids, and the index of each part in the message. */
  readonly retracted: { readonly ids: readonly string[]; readonly indexes: readonly number[] }
  /** A subagent at work; the part's id is the tool call that started it. */
  readonly subagent: {
    readonly agent: string
    readonly description: string
    readonly status: 'running' | 'completed' | 'failed' | 'stopped'
    readonly toolCalls: number
    readonly tokens: number | null
    readonly cost: number | null
    readonly lastWords: string | null
  }
  /** A tool output that went out shortened, and where the whole of it is. */
  readonly shortened: { readonly toolCallId: string; readonly bytes: number; readonly seq: number }
  /** A native message of a kind we do not know. */
  readonly unknown: { readonly agent: string; readonly kind: string; readonly native: Json }
}

/** The name of one of our data parts, without `data-`. */
export type DataName = keyof DataParts
