import type { Tokens } from '../protocol/data-parts.ts'

/** Tokens that have one price: of one model, in requests of about the same size and time. */
export interface Charge {
  readonly model: string | null
  /** Whether the agent reported what they cost. */
  readonly reported: boolean
  readonly tokens: Tokens
  /** How many of `tokens.cacheWrite` were written to stay for an hour. */
  readonly hourWrites: number
  /** The time of one of the requests, and the tokens of its input; 0 where the agent reported only a sum of requests. */
  readonly at: number
  readonly context: number
}

/** Where prices change. Tokens on both sides of a cut are not one charge. */
export interface PriceCuts {
  /** Requests with more tokens of input than this have another price. */
  readonly contexts: readonly number[]
  /** From these moments on. */
  readonly moments: readonly number[]
  /** From these times of day (UTC) on, in milliseconds. */
  readonly daytimes: readonly number[]
}

/** Prices that never change. */
export const noCuts: PriceCuts = { contexts: [], moments: [], daytimes: [] }
