import * as z from 'zod/mini'
import type { OptionsSchema } from '../../protocol/agent-options.ts'
import { contextOption, declareOptions, effortLabels, option } from '../kit/declare-options.ts'
import { providerNames, providers, type ProviderName } from './providers.ts'
import { toolNames } from './tools/names.ts'

const text = z.string().check(z.minLength(1))
const price = z.optional(z.number().check(z.nonnegative()))
const count = z.number().check(z.int(), z.nonnegative())

/** Which service is used, and with which key. */
const place = {
  provider: option(z.enum(providerNames as readonly [ProviderName, ...ProviderName[]]), {
    title: 'Service',
    description: 'The service whose API is called.',
    'x-labels': Object.fromEntries(providerNames.map(name => [name, providers[name].title])),
    'x-new': true,
  }),
  baseUrl: option(text, {
    title: 'Address',
    description: 'The URL of the service with its version, as in "http://127.0.0.1:11434/v1".',
    'x-new': true,
  }),
  api: option(z.enum(['openai-responses', 'openai-chat']), {
    title: 'API',
    description: 'Which API of OpenAI to use.',
    'x-place': 'advanced',
    'x-new': true,
  }),
  keyName: option(
    z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')),
    {
      title: 'Key variable',
      description: 'The name of the environment variable that has the API key. Never the key itself.',
      'x-place': 'advanced',
      'x-new': true,
    },
  ),
  keyFile: option(text, {
    title: 'Key file',
    description: 'A file that contains only the API key, and that only you can read.',
    'x-place': 'advanced',
    'x-new': true,
  }),
}

/** The options that choose where a key is sent. Only the settings set them for an agent with a name. */
export const placeNames = Object.keys(place)

const manner = {
  model: option(text, {
    title: 'Model',
    description: 'The name of a model of the service.',
    'x-place': 'bar',
    'x-keeps-rules': true,
  }),
  reasoning: option(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']), {
    title: 'Effort',
    description: 'How much the model thinks. More effort costs more tokens and time.',
    'x-place': 'bar',
    'x-keeps-rules': true,
    'x-labels': effortLabels,
  }),
  allow: option(z.array(z.enum(toolNames)), {
    title: 'Allowed tools',
    description:
      'Tools that run without asking. Tools that only read never ask. With "run", every command runs without asking.',
  }),
  tools: option(z.array(z.enum(toolNames)), {
    title: 'Tools',
    description: 'The tools that the model has. By default, all of them.',
    'x-place': 'advanced',
  }),
  instructions: option(z.string(), {
    title: 'More instructions',
    description: 'Instructions for the model, after those of Dragoman.',
    'x-keeps-rules': true,
  }),
  context: contextOption('requests'),
  maxOutputTokens: option(z.number().check(z.int(), z.positive()), {
    title: 'Longest answer',
    description: 'In tokens.',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
  window: option(z.number().check(z.int(), z.positive()), {
    title: 'Context window',
    description: 'The context window of the model, in tokens.',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
  prices: option(z.object({ input: price, output: price, cacheRead: price, cacheWrite: price }), {
    title: 'Prices',
    description: 'Dollars for a million tokens: "input", "output", "cacheRead" and "cacheWrite".',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
  pictures: option(z.boolean(), {
    title: 'Images',
    description: 'Whether the model accepts images. Only chat completions are sent without them.',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
  steps: option(z.number().check(z.int(), z.positive()), {
    title: 'Requests for a prompt',
    description: 'How many requests to the model one prompt may use.',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
  retries: option(count, {
    title: 'Retries',
    description: 'How often a request is retried when the service is busy or breaks off.',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
  retryMs: option(count, {
    title: 'First wait',
    description: 'How long to wait before the first retry, in milliseconds. The wait doubles each time.',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
  silenceMs: option(z.number().check(z.int(), z.positive()), {
    title: 'Longest silence',
    description: 'How long the service may send nothing, in milliseconds.',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
  inherit: option(z.array(z.string()), {
    title: 'Inherited variables',
    description: 'Names of variables of the server that commands get.',
    'x-place': 'advanced',
  }),
  commandMs: option(z.number().check(z.int(), z.positive()), {
    title: 'Time for a command',
    description: 'How long a command may run, in milliseconds.',
    'x-place': 'advanced',
    'x-keeps-rules': true,
  }),
  fetchLocal: option(z.boolean(), {
    title: 'Fetch local pages',
    description:
      'Whether the model may fetch pages of this machine and its network. They may contain secrets.',
    'x-place': 'advanced',
  }),
}

/** The options of a session with a model. */
export const optionsSchema = z.strictObject({ ...place, ...manner })

/** The options of any model as a JSON schema. */
export const declared = declareOptions(optionsSchema)

/** The options of an agent whose service is set, with models of that service. */
export function declaredFor(provider: ProviderName): OptionsSchema {
  const { properties, ...rest } = declareOptions(z.strictObject(manner))
  const model = { ...properties['model'], examples: providers[provider].models }
  return { ...rest, properties: { ...properties, model } }
}

/** The checked options. */
export type GivenOptions = z.infer<typeof optionsSchema>
