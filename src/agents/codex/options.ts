import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import type { Json } from '../../protocol/json.ts'
import { checkOptions, contextOption, declareOptions, effortLabels, option } from '../kit/declare-options.ts'

const json = z.custom<Json>(value => value !== undefined)

const optionsSchema = z.looseObject({
  model: option(z.string(), {
    title: 'Model',
    description: 'The name of a model of OpenAI.',
    examples: ['gpt-6.1-sol', 'gpt-6.1-terra', 'gpt-6-astra', 'gpt-6-luna'],
    'x-place': 'bar',
    'x-keeps-rules': true,
  }),
  approvalPolicy: option(json, {
    title: 'Approvals',
    description: 'When Codex asks for approval: a policy of Codex by its name, or as an object.',
    examples: ['on-request', 'untrusted', 'never'],
    'x-place': 'bar',
    'x-labels': {
      'on-request': 'Asks when it needs more rights',
      untrusted: 'Asks before most commands',
      never: 'Never asks',
    },
    'x-risks': { never: 'Codex runs everything that the sandbox allows without asking.' },
  }),
  sandbox: option(z.string(), {
    title: 'Sandbox',
    description: 'What commands may change.',
    examples: ['read-only', 'workspace-write', 'danger-full-access'],
    'x-place': 'bar',
    'x-labels': {
      'read-only': 'Read only',
      'workspace-write': 'Change the folder',
      'danger-full-access': 'No sandbox',
    },
    'x-risks': {
      'danger-full-access': 'Commands of Codex can change every file of yours and use the network.',
    },
  }),
  effort: option(z.string(), {
    title: 'Effort',
    description: 'How much the model thinks. More effort costs more tokens and time.',
    examples: ['low', 'medium', 'high', 'xhigh', 'max'],
    'x-place': 'bar',
    'x-keeps-rules': true,
    'x-labels': effortLabels,
  }),
  developerInstructions: option(z.string(), {
    title: 'More instructions',
    description: 'Instructions for the model, in addition to those of Codex.',
    'x-keeps-rules': true,
  }),
  context: contextOption('history'),
  config: option(z.record(z.string(), json), {
    title: 'Configuration',
    description:
      'Settings as in config.toml of Codex. They are stored in plain text: do not put secrets here.',
    'x-place': 'advanced',
  }),
  rawEvents: option(z.boolean(), {
    title: 'Report every item',
    description: 'Whether Codex reports every item of the model, also items that it ignores.',
    'x-place': 'advanced',
    'x-new': true,
  }),
  fork: option(z.string(), {
    title: 'Copy a thread',
    description: 'The ID of a thread of Codex to copy and start from.',
    'x-place': 'advanced',
    'x-new': true,
  }),
  forkBefore: option(z.string(), {
    title: 'Copy up to',
    description: 'With "fork": the ID of the first turn that is not copied.',
    'x-place': 'advanced',
    'x-new': true,
  }),
})

/** The options as a JSON schema. */
export const declared = declareOptions(optionsSchema)

/** Checks the options of a new session. */
export const check = (options: Json): void => void checkOptions(optionsSchema, options, 'Codex')

/** The options of a session with Codex. */
export type CodexOptions = z.infer<typeof optionsSchema>

/** Reads the options of a session. */
export function readOptions(options: Json): CodexOptions {
  return checkInput(optionsSchema, options ?? {}, optionsOf('Codex'))
}
