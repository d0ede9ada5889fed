import * as z from 'zod/mini'
import type { OptionFacts, OptionsSchema } from '../../protocol/agent-options.ts'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import { asObject } from './fields.ts'

const known = z.registry<Readonly<Record<string, unknown>>>()

type Options = z.ZodMiniObject

/** An option that may be left out, with the facts that people read about it. */
export function option<Schema extends z.core.$ZodType>(
  schema: Schema,
  facts: OptionFacts,
): z.ZodMiniOptional<Schema> {
  const made = z.optional(schema)
  known.add(made, { ...facts })
  return made
}

/** The display names of the usual degrees of effort. */
export const effortLabels = {
  none: 'None',
  minimal: 'Minimal',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Very high',
  max: 'Maximum',
} as const

/** How much Dragoman may trim: the history of an agent, or the requests to a model. */
export const contextOption = (what: 'history' | 'requests') =>
  option(z.enum(['off', 'lossless', 'safe', 'balanced', 'aggressive']), {
    title: 'Context trimming',
    description: `How much Dragoman may leave out of the ${what}, to save tokens. By default, as in the settings of the server.`,
    'x-keeps-rules': true,
    'x-labels': {
      off: 'Off',
      lossless: 'Only repetitions',
      safe: 'Safe',
      balanced: 'Balanced',
      aggressive: 'Aggressive',
    },
  })

/** Options as a JSON schema, made from the schema that checks them. */
export function declareOptions(schema: Options): OptionsSchema {
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: known })
  const { properties } = JSON.parse(JSON.stringify(made)) as OptionsSchema
  return { type: 'object', properties, additionalProperties: false }
}

/** Checks the options of a new session. Unlike those of an old session, none may be unknown. */
export function checkOptions<Schema extends Options>(
  schema: Schema,
  options: Json,
  agent: string,
): z.output<Schema> {
  const names = Object.keys(schema.shape)
  const unknown = Object.keys(asObject(options)).find(name => !names.includes(name))
  if (unknown !== undefined)
    throw new DragomanError(
      'invalid-input',
      `${agent.charAt(0).toUpperCase()}${agent.slice(1)} has no option ${JSON.stringify(unknown.slice(0, 100))}. Available options: ${names.join(', ')}.`,
    )
  return checkInput(schema, options ?? {}, optionsOf(agent))
}
