import * as z from 'zod/mini'
import type { Strategy } from '../../context/index.ts'
import { createStrategies, type Strategies } from '../../context/strategies/registry.ts'
import { DragomanError } from '../../protocol/error.ts'
import { toolNamed } from '../../protocol/known-tools.ts'
import type { StrategyModules } from './strategy-messages.ts'

const words = (what: string) => z.string(what).check(z.minLength(1, what), z.maxLength(100, what))
const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  z.enum(values, `one of ${values.map(value => `"${value}"`).join(', ')}`)
const lines = z
  .int('a whole number from 0 to 1000')
  .check(z.minimum(0, 'a whole number from 0 to 1000'), z.maximum(1000, 'a whole number from 0 to 1000'))
/** An object with these fields; a mistyped one is told by its name. */
const fields = <const Shape extends z.core.$ZodShape>(what: string, shape: Shape) =>
  z.strictObject(shape, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? `${what}, which has no field ${issue.keys.map(key => `"${key.slice(0, 50)}"`).join(', ')}`
        : what,
  })
const list = <Of extends z.core.$ZodType>(what: string, of: Of) => z.array(of, what)

const rendering = fields('how a part is rendered: "how" and "moment"', {
  how: oneOf('keep', 'annotate', 'clear'),
  what: z.optional(oneOf('result', 'input', 'both')),
  keepLast: z.optional(lines),
  keepFirst: z.optional(lines),
  moment: oneOf('insertion', 'boundary', 'pressure', 'now'),
})

const rule = {
  name: words('the name of the rule, of 1 to 100 characters'),
  to: oneOf('superseded', 'invalidated'),
  rendering,
  reason: words('the reason in 1 to 100 characters'),
}
const effects = list('a list of effects', oneOf('read', 'write', 'query', 'run', 'plan', 'ask', 'delegate'))
const outcome = z.optional(oneOf('success', 'failure'))
const ownerName = words('the name of an owner, of 1 to 100 characters')
const consents = 'a list of names of owners'
const file = words('the path of a module, of 1 to 100 characters')
const paths = 'a list of names of parameters'
const seconds = 'a number of seconds, 0 or more'

const semantic = fields('a rule with name, to, rendering, reason, owner, effects and match', {
  ...rule,
  owner: ownerName,
  effects,
  match: oneOf('same-resource', 'any'),
})

const strategy = fields('the strategy of a tool', {
  tool: words('the name of a tool, of 1 to 100 characters'),
  /** Whose tool it is; by its name where it is one of the usual ones, or of an MCP server. */
  owner: z.optional(ownerName),
  parameters: z.optional(
    list(
      'a list of rules',
      fields('a rule with name, to, rendering, reason and match', {
        ...rule,
        match: oneOf('exact', 'covering', 'prefix'),
        on: z.optional(
          list(paths, words('the name of a parameter, of 1 to 100 characters')).check(z.minLength(1, paths)),
        ),
        before: outcome,
        now: outcome,
      }),
    ),
  ),
  invalidates: z.optional(list('a list of rules', semantic)),
  age: z.optional(
    fields('a rule with name, to, rendering, reason and seconds', {
      ...rule,
      seconds: z.number(seconds).check(z.minimum(0, seconds)),
    }),
  ),
  cascade: z.optional(list('a list of rules', semantic)),
  /** Files of modules whose default export is asked: after each result, and when an interaction ends. */
  custom: z.optional(file),
  optimise: z.optional(file),
  accepts: z.optional(list(consents, ownerName).check(z.minLength(1, consents))),
})

/** What a person may configure of strategies. */
export const strategiesSchema = list('a list of strategies', strategy)

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
      `"${where}" is not valid: it must be ${issue?.message ?? 'something else'}.`,
    )
  }
  const modules: Record<string, string> = {}
  let strategies = createStrategies()
  for (const { tool, owner, ...rest } of read.data) {
    // A file is its own name, so that the same one is read once.
    for (const path of [rest.custom, rest.optimise]) if (path !== undefined) modules[path] = path
    strategies = strategies.register(tool, owner ?? toolNamed(tool).owner, rest as Strategy)
  }
  return { strategies, modules }
}
