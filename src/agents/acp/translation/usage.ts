import type { MessageMetadata } from '../../../protocol/chunk.ts'
import type { Tokens } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'
import type { Op } from '../../kit/parts.ts'
import { isObject, listOf, numberOf, objectOf, textOf, type JsonObject } from '../messages.ts'

/** Tokens and cost so far. */
export interface Usage {
  /** What each of an answer's requests to the model used, if the agent reports it, in its own fields. */
  readonly steps: readonly JsonObject[]
  /** How full the agent's context is, in its own fields. */
  readonly context: JsonObject | null
  /** The cost of the whole session so far, in the agent's own fields. */
  readonly cost: JsonObject | null
  /** The cost of the session when this answer began; null when unknown. */
  readonly costBefore: number | null
}

/** The usage of a new session. */
export const noUsage: Usage = { steps: [], context: null, cost: null, costBefore: 0 }

/** Applies an update of the context size and the session's cost. */
export function withContext(usage: Usage, update: JsonObject): Usage {
  const { used, size, cost } = update
  const context = {
    ...(used === undefined ? {} : { used }),
    ...(size === undefined ? {} : { size }),
  }
  return { ...usage, context, cost: isObject(cost) ? cost : usage.cost }
}

/** Adds what one request to the model used. */
export function withStep(usage: Usage, reported: JsonObject): Usage {
  return { ...usage, steps: [...usage.steps, reported] }
}

/** The usage at the beginning of the next answer. */
export function nextAnswer(usage: Usage): Usage {
  const amount = numberOf(usage.cost?.['amount'])
  return { ...usage, steps: [], costBefore: amount ?? usage.costBefore }
}

/** The usage of a session that is resumed: its cost continues from the agent's last report, if that is known. */
export const resumedUsage = (costBefore: number | null): Usage => ({ ...noUsage, costBefore })

/** The usage at the end of an answer: what to show, and facts for the message. */
export function usageAtEnd(
  usage: Usage,
  reported: JsonObject,
  model: string | null,
): { readonly show: readonly Op[]; readonly facts: Facts } {
  const quota = objectOf(objectOf(reported['_meta'])['quota'])
  const counts = isObject(reported['usage']) ? reported['usage'] : objectOf(quota['token_count'])
  const tokens =
    mostOf([
      Object.keys(counts).length > 0 ? tokensIn(counts) : null,
      // Claude's adapter counts requests outside the conversation, such as for titles, only here.
      sumOf(listOf(quota['model_usage']).map(each => objectOf(objectOf(each)['token_count']))),
    ]) ?? sumOf(usage.steps)
  const cost = costOf(usage)
  const metadata = {
    ...kept('usage', reported['usage']),
    ...kept('quota', Object.keys(quota).length > 0 ? quota : undefined),
    ...kept('steps', usage.steps.length > 0 ? usage.steps : undefined),
    ...kept('context', usage.context ?? undefined),
    ...kept('sessionCost', usage.cost ?? undefined),
  }
  const total = dollarsIn(usage)
  const facts: Facts = {
    metadata,
    ...(total !== null && { totals: { tokens: null, cost: total } }),
    ...(tokens && { tokens }),
    ...(cost !== null && { cost }),
  }
  const data = { tokens: tokens ?? noTokens, cost, model }
  const show: Op = { type: 'show', chunk: { type: 'data-usage', id: 'usage', data } }
  return { show: tokens === null && (cost ?? 0) === 0 ? [] : [show], facts }
}

/** What an answer used. */
export interface Facts {
  readonly tokens?: Tokens
  readonly cost?: number
  /** What the agent reports for its whole session. */
  readonly totals?: { readonly tokens: null; readonly cost: number }
  readonly metadata: MessageMetadata
}

const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

function kept(name: string, value: Json | undefined): MessageMetadata {
  return value === undefined || value === null ? {} : { [name]: value }
}

/**
 * Agents spell the same numbers in two ways. Some count cache reads again as input, and some count thoughts
 * separately, which are output here. The sum of all shows which.
 */
function tokensIn(reported: JsonObject): Tokens {
  const read = (...names: readonly string[]) =>
    names.map(name => numberOf(reported[name])).find(value => value !== undefined) ?? 0
  const all = read('inputTokens', 'input_tokens')
  const output = read('outputTokens', 'output_tokens')
  const cacheRead = read('cachedReadTokens', 'cachedInputTokens')
  const cacheWrite = read('cachedWriteTokens', 'cacheWriteInputTokens')
  const total = read('totalTokens')
  const withThoughts = output + read('thoughtTokens')
  const isApart = total === all + withThoughts || total === all + withThoughts + cacheRead + cacheWrite
  const outputTokens = isApart ? withThoughts : output
  const isTwice = total === all + outputTokens
  return { input: isTwice ? all - cacheRead - cacheWrite : all, output: outputTokens, cacheRead, cacheWrite }
}

function mostOf(counts: readonly (Tokens | null)[]): Tokens | null {
  const size = ({ input, output, cacheRead, cacheWrite }: Tokens) => input + output + cacheRead + cacheWrite
  return counts
    .filter(each => each !== null)
    .reduce<Tokens | null>((most, each) => (most === null || size(each) > size(most) ? each : most), null)
}

function sumOf(steps: readonly JsonObject[]): Tokens | null {
  if (steps.length === 0) return null
  return steps.map(tokensIn).reduce((sum, step) => ({
    input: sum.input + step.input,
    output: sum.output + step.output,
    cacheRead: sum.cacheRead + step.cacheRead,
    cacheWrite: sum.cacheWrite + step.cacheWrite,
  }))
}

/** The agent reports the session's cost; the answer's part is the difference. */
function costOf(usage: Usage): number | null {
  const amount = dollarsIn(usage)
  const { costBefore } = usage
  if (amount === null || costBefore === null) return null
  return amount >= costBefore ? amount - costBefore : amount
}

function dollarsIn({ cost }: Usage): number | null {
  return textOf(cost?.['currency']) === 'USD' ? (numberOf(cost?.['amount']) ?? null) : null
}
