import type { Chunk } from '../protocol/chunk.ts'
import type { ModelRequest, Tokens } from '../protocol/data-parts.ts'
import { isObject, type Json } from '../protocol/json.ts'

/** Tokens, and their cost in US dollars; null when it was not reported. */
export interface Spent {
  readonly tokens: Tokens
  readonly cost: number | null
}

/** No tokens, and no reported cost. */
export const nothingSpent: Spent = {
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  cost: null,
}

/** Two amounts together. */
export function addSpent(one: Spent, other: Spent): Spent {
  return {
    tokens: {
      input: one.tokens.input + other.tokens.input,
      output: one.tokens.output + other.tokens.output,
      cacheRead: one.tokens.cacheRead + other.tokens.cacheRead,
      cacheWrite: one.tokens.cacheWrite + other.tokens.cacheWrite,
    },
    cost: one.cost === null ? other.cost : one.cost + (other.cost ?? 0),
  }
}

/** The usage of a whole message that a chunk reports, and whether it is exact. */
export interface SpentReport {
  readonly spent: Spent
  readonly model: string | null
  readonly exact: boolean
  /** The newest request that it includes, if the agent reports single requests. */
  readonly request?: ModelRequest
}

/** Reads use from a `data-usage` part, or else from the facts at the end of a message. */
export function spentIn(chunk: Chunk): SpentReport | null {
  if (chunk.type === 'data-usage') {
    const { tokens, cost, model, request } = chunk.data
    const spent = { tokens: readTokens({ ...tokens }), cost: readCost(cost) }
    return { spent, model, exact: true, ...(request && { request: readRequest(request) }) }
  }
  if (chunk.type !== 'finish' || chunk.messageMetadata === undefined) return null
  const { tokens, cost, model } = chunk.messageMetadata
  if (!isObject(tokens) && typeof cost !== 'number') return null
  const spent = { tokens: readTokens(tokens), cost: readCost(cost) }
  return { spent, model: typeof model === 'string' ? model : null, exact: false }
}

/** No message uses more. Sums of larger numbers could not be read from a database. */
const mostTokens = 1e11
const mostCost = 1e9

/** What an agent reports may be anything: a count below nothing, above all bounds, or in fractions. */
const readCount = (value: Json | undefined): number =>
  typeof value === 'number' && value > 0 ? Math.min(Math.round(value), mostTokens) : 0

const readCost = (value: Json | undefined): number | null =>
  typeof value === 'number' && value >= 0 && value <= mostCost ? value : null

function readRequest({ id, tokens: told, hourWrites }: ModelRequest): ModelRequest {
  const tokens = readTokens({ ...told })
  if (hourWrites === undefined) return { id, tokens }
  return { id, tokens, hourWrites: Math.min(readCount(hourWrites), tokens.cacheWrite) }
}

/** Reads tokens that were stored as metadata. */
export function readTokens(value: Json | undefined): Tokens {
  const fields = isObject(value) ? value : {}
  const read = (name: keyof Tokens) => readCount(fields[name])
  return {
    input: read('input'),
    output: read('output'),
    cacheRead: read('cacheRead'),
    cacheWrite: read('cacheWrite'),
  }
}
