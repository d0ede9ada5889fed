import * as z from 'zod/mini'
import type { Strategy } from '../../context/index.ts'
import { createStrategies, type Strategies } from '../../context/strategies/registry.ts'
import { DragomanError } from '../../protocol/error.ts'
import { toolNamed } from '../../protocol/known-tools.ts'
import type { StrategyModules } from './strategy-messages.ts'

const shortText = (what: string) => z.string(what).check(z.minLength(1, what), z.maxLength(100, what))
const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  z.enum(values, `one of ${values.map(value => `"${value}"`).join(', ')}`)
const lines = z
  .int('a whole number from 0 to 1000')
  .check(z.minimum(0, 'a whole number from 0 to 1000'), z.maximum(1000, 'a whole number from 0 to 1000'))
/** An object with only these fields; an error names an unknown one. */
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
  name: shortText('the name of the rule, of 1 to 100 characters'),
  to: oneOf('superseded', 'invalidated'),
  rendering,
  reason: shortText('the reason in 1 to 100 characters'),
}
const effects = list('a list of effects', oneOf('read', 'write', 'query', 'run', 'plan', 'ask', 'delegate'))
const outcome = z.optional(oneOf('success', 'failure'))
const ownerName = shortText('the name of an owner, of 1 to 100 characters')
const consents = 'a list of names of owners'
const file = shortText('the path of a module, of 1 to 100 characters')
const paths = 'a list of names of parameters'
/** Without names of fields, a rule for such a tool would never find two calls that are the same. */
const unknownInput = `${paths} to compare, because Dragoman does not know the input of this tool`
const seconds = 'a number of seconds, 0 or more'

const semantic = fields('a rule with name, to, rendering, reason, owner, effects and match', {
  ...rule,
  owner: ownerName,
  effects,
  match: oneOf('same-resource', 'any'),
})

const strategy = fields('the strategy of a tool', {
  tool: shortText('the name of a tool, of 1 to 100 characters'),
  /** The owner of the tool; by default from its name, for well-known tools and those of MCP servers. */
  owner: z.optional(ownerName),
  parameters: z.optional(
    list(
      'a list of rules',
      fields('a rule with name, to, rendering, reason and match', {
        ...rule,
        match: oneOf('exact', 'covering', 'prefix'),
        on: z.optional(
          list(paths, shortText('the name of a parameter, of 1 to 100 characters')).check(
            z.minLength(1, paths),
          ),
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
  /** Module files whose default export is called after each result, and when an interaction ends. */
  custom: z.optional(file),
  optimise: z.optional(file),
  accepts: z.optional(list(consents, ownerName).check(z.minLength(1, consents))),
}).check(({ value, issues }) => {
  if (toolNamed(value.tool).family !== 'other') return
  for (const [at, { on }] of (value.parameters ?? []).entries())
    if (on === undefined)
      issues.push({ code: 'custom', path: ['parameters', at, 'on'], message: unknownInput, input: on })
})

/** The schema of configured strategies. */
export const strategiesSchema = list('a list of strategies', strategy)

/** The configured strategy of one tool. */
export type StrategySettings = z.infer<typeof strategy>

/** The configured strategies, and the module files of the custom ones. */
export interface ConfiguredStrategies {
  readonly strategies: Strategies
  readonly modules: StrategyModules
}

/** Adds configured strategies to the built-in ones. An error names the field that is wrong. */
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
    // The file is the name, so that it is loaded once.
    for (const path of [rest.custom, rest.optimise]) if (path !== undefined) modules[path] = path
    strategies = strategies.register(tool, owner ?? toolNamed(tool).owner, rest as Strategy)
  }
  return { strategies, modules }
}
