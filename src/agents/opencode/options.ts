import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import type { Json } from '../../protocol/json.ts'
import { checkOptions, contextOption, declareOptions, effortLabels, option } from '../kit/declare-options.ts'

const json = z.custom<Json>(value => value !== undefined)

const optionsSchema = z.looseObject({
  model: option(z.string().check(z.regex(/^[^/]+\/.+$/, 'write it as "provider/model"')), {
    title: 'Model',
    description: 'Provider and model, as in "anthropic/claude-sonnet-5".',
    examples: [
      'anthropic/claude-sonnet-5',
      'anthropic/claude-opus-5-5',
      'openai/gpt-6-sol',
      'google/gemini-3.8-flash',
    ],
    'x-place': 'bar',
    'x-keeps-rules': true,
  }),
  agent: option(z.string(), {
    title: 'Agent',
    description: 'Which agent of OpenCode answers.',
    examples: ['build', 'plan'],
    'x-place': 'bar',
    'x-labels': { build: 'Build', plan: 'Plan only' },
  }),
  variant: option(z.string(), {
    title: 'Effort',
    description: 'A variant of the model. Most variants say how much the model thinks.',
    examples: ['low', 'medium', 'high', 'max'],
    'x-place': 'bar',
    'x-keeps-rules': true,
    'x-labels': effortLabels,
  }),
  context: contextOption('requests'),
  config: option(z.record(z.string(), json), {
    title: 'Configuration',
    description: 'Settings as in opencode.json. They are stored in plain text: do not put secrets here.',
    'x-place': 'advanced',
  }),
  permission: option(json, {
    title: 'Permission rules',
    description: 'Rules of OpenCode for its tools. A tool that they allow runs without asking.',
    'x-place': 'advanced',
    'x-new': true,
  }),
  fork: option(z.string(), {
    title: 'Copy a session',
    description: 'The ID of a session of OpenCode to copy and start from.',
    'x-place': 'advanced',
    'x-new': true,
  }),
  forkBefore: option(z.string(), {
    title: 'Copy up to',
    description: 'With "fork": the ID of the first message that is not copied.',
    'x-place': 'advanced',
    'x-new': true,
  }),
})

/** The options as a JSON schema. */
export const declared = declareOptions(optionsSchema)

/** Checks the options of a new session. */
export const check = (options: Json): void => void checkOptions(optionsSchema, options, 'OpenCode')

/** The options of a session with OpenCode. */
export type OpenCodeOptions = z.infer<typeof optionsSchema>

/** Reads the options of a session. */
export function readOptions(options: Json): OpenCodeOptions {
  return checkInput(optionsSchema, options ?? {}, optionsOf('OpenCode'))
}
