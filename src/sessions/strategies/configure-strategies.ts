import * as z from 'zod/mini'
import { createStrategies, type Strategies, type Strategy } from '../../context/index.ts'
import { DragomanError } from '../../protocol/error.ts'
import { toolNamed } from '../../protocol/known-tools.ts'
import type { StrategyModules } from './strategy-messages.ts'

const name = z.string().check(z.minLength(1), z.maxLength(100))
const names = z.array(name).check(z.minLength(1))

const rendering = z.strictObject({
  how: z.enum(['keep', 'annotate', 'clear']),
  what: z.optional(z.enum(['result', 'input', 'both'])),
  keepLast: z.optional(z.int().check(z.minimum(0), z.maximum(1000))),
  keepFirst: z.optional(z.int().check(z.minimum(0), z.maximum(1000))),
  moment: z.enum(['insertion', 'boundary', 'pressure', 'now']),
})

const rule = { name, to: z.enum(['superseded', 'invalidated']), rendering, reason: name }
const effects = z.array(z.enum(['read', 'write', 'query', 'run', 'plan', 'ask', 'delegate']))
const outcome = z.optional(z.enum(['success', 'failure']))

const semantic = z.strictObject({ ...rule, owner: name, effects, match: z.enum(['same-resource', 'any']) })

const strategy = z.strictObject({
  tool: name,
  /** Whose tool it is; by its name where it is one of the usual ones, or of an MCP server. */
  owner: z.optional(name),
  parameters: z.optional(
    z.array(
      z.strictObject({
        ...rule,
        match: z.enum(['exact', 'covering', 'prefix']),
        on: z.optional(names),
        before: outcome,
        now: outcome,
      }),
    ),
  ),
  invalidates: z.optional(z.array(semantic)),
  age: z.optional(z.strictObject({ ...rule, seconds: z.number().check(z.minimum(0)) })),
  cascade: z.optional(z.array(semantic)),
  /** Files of modules whose default export is asked: after each result, and when an interaction ends. */
  custom: z.optional(name),
  optimise: z.optional(name),
  accepts: z.optional(names),
})

/** What a person may configure of strategies. */
export const strategiesSchema = z.array(strategy)

/** One tool's strategy, as a person configures it. */
export type StrategySettings = z.infer<typeof strategy>

/** Strategies as configured, and the files of those of one's own. */
export interface ConfiguredStrategies {
  readonly strategies: Strategies
  readonly modules: StrategyModules
}

/** Adds what a person configured to what holds without; a mistake is told with the field that has it. */
export function configureStrategies(configured: unknown): ConfiguredStrategies {
  const read = strategiesSchema.safeParse(configured)
  if (!read.success) {
    const [issue] = read.error.issues
    const where = issue === undefined ? 'strategies' : ['strategies', ...issue.path].join('.')
    throw new DragomanError(
      'invalid-input',
      `"${where}" is not valid: ${issue?.message ?? 'unknown reason'}.`,
    )
  }
  const modules: Record<string, string> = {}
  let strategies = createStrategies()
  for (const { tool, owner, ...rest } of read.data) {
    // A file is its own name, so that the same one is read once.
    for (const file of [rest.custom, rest.optimise]) if (file !== undefined) modules[file] = file
    strategies = strategies.register(tool, owner ?? toolNamed(tool).owner, rest as Strategy)
  }
  return { strategies, modules }
}
