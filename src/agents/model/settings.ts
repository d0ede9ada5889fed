import * as z from 'zod/mini'
import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import { trimEndOf } from '../../protocol/linear-text.ts'
import { asObject } from '../kit/fields.ts'
import type { Prices } from './lines.ts'
import { pricesOf } from './prices.ts'
import { providerNames, providers, type ProviderName } from './providers.ts'
import { toolNames } from './tools/names.ts'
import type { Api } from './wire/wire-event.ts'

const text = z.string().check(z.minLength(1))
const price = z.optional(z.number().check(z.nonnegative()))
const count = z.number().check(z.int(), z.nonnegative())

const optionsSchema = z.strictObject({
  provider: z.optional(z.enum(providerNames as readonly [ProviderName, ...ProviderName[]])),
  model: z.optional(text),
  /** The address of the service, including its version: `http://127.0.0.1:11434/v1`. */
  baseUrl: z.optional(text),
  /** Which API of OpenAI to use; others have only one. */
  api: z.optional(z.enum(['openai-responses', 'openai-chat'])),
  /** The environment variable with the key. Never the key itself. */
  keyName: z.optional(
    z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')),
  ),
  /** A file that contains only the key, and that only you may read. */
  keyFile: z.optional(text),
  /** Instructions for the model, after our own. */
  instructions: z.optional(z.string()),
  reasoning: z.optional(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])),
  maxOutputTokens: z.optional(z.number().check(z.int(), z.positive())),
  /** The context window of the model, in tokens. */
  window: z.optional(z.number().check(z.int(), z.positive())),
  /** Dollars for a million tokens. */
  prices: z.optional(z.object({ input: price, output: price, cacheRead: price, cacheWrite: price })),
  /** Whether the model accepts images; only chat completions are sent without them. */
  pictures: z.optional(z.boolean()),
  /** How many requests to the model one prompt may take. */
  steps: z.optional(z.number().check(z.int(), z.positive())),
  /** How often a request is retried when the service is busy or breaks off. */
  retries: z.optional(count),
  /** The first wait before that, in milliseconds; it doubles. */
  retryMs: z.optional(count),
  /** How long a service may send nothing, in milliseconds. */
  silenceMs: z.optional(z.number().check(z.int(), z.positive())),
  /** The tools that run without asking, in addition to those that only read. */
  allow: z.optional(z.array(z.enum(toolNames))),
  /** The tools that the model has; all of them by default. */
  tools: z.optional(z.array(z.enum(toolNames))),
  /** How much of the history may be left out of a request. */
  context: z.optional(z.enum(['off', 'lossless', 'safe', 'balanced', 'aggressive'])),
  /** Names of our own environment variables that commands get. */
  inherit: z.optional(z.array(z.string())),
  /** How long a command may run, in milliseconds. */
  commandMs: z.optional(z.number().check(z.int(), z.positive())),
  /** Whether pages of this machine and its network may be fetched. */
  fetchLocal: z.optional(z.boolean()),
})

/** How a model is reached and what it may do. */
export interface Settings {
  readonly provider: ProviderName
  /** The service's display name. */
  readonly service: string
  readonly api: Api
  readonly model: string
  readonly baseUrl: string
  readonly keyName: string | null
  readonly keyFile: string | null
  readonly instructions: string
  readonly reasoning: z.infer<typeof optionsSchema>['reasoning'] | null
  readonly maxOutputTokens: number | null
  readonly window: number
  readonly prices: Prices | null
  readonly steps: number
  readonly retries: number
  readonly retryMs: number
  readonly silenceMs: number
  readonly allow: readonly string[]
  readonly tools: readonly string[]
  readonly context: string | null
  readonly inherit: readonly string[]
  readonly commandMs: number
  readonly fetchLocal: boolean
  readonly pictures: boolean
}

type GivenOptions = z.infer<typeof optionsSchema>

/** Reads the options of an agent's configuration and of a session, with defaults. */
export function readSettings(options: Json): Settings {
  refuseNames(options)
  const given = checkInput(optionsSchema, options ?? {}, optionsOf('a model'))
  if (given.provider === undefined)
    throw invalid(`No service chosen. Set the option "provider": ${providerNames.join(', ')}.`)
  return { ...placeOf(given, given.provider), ...mannerOf(given) }
}

/** Refuses unknown options. Options are stored for ever, so a key must not be among them. */
function refuseNames(options: Json): void {
  const names = Object.keys(asObject(options))
  const key = names.find(name => /^(api)?[-_]?(key|token|secret)$|^password$|^headers$/i.test(name))
  if (key !== undefined)
    throw invalid(
      `Don’t put an API key in "${key}": options are stored in plain text. Set "keyName" to an environment variable, or "keyFile" to a file.`,
    )
  const unknown = names.find(name => !Object.hasOwn(optionsSchema.shape, name))
  if (unknown !== undefined)
    throw invalid(
      `There is no option "${unknown}" for a model. Available options: ${Object.keys(optionsSchema.shape).join(', ')}.`,
    )
}

function placeOf(given: GivenOptions, name: ProviderName) {
  const { title, api, keyName, baseUrl, model, window } = providers[name]
  const place = given.baseUrl ?? baseUrl
  if (place === null)
    throw invalid('No address set. Set the option "baseUrl" to the address of the model, up to "/v1".')
  const chosen = given.model ?? model
  if (chosen === null) throw invalid('No model chosen. Set the option "model".')
  return {
    provider: name,
    service: name === 'openai-compatible' ? `The service at ${place}` : title,
    api: (name === 'openai' ? given.api : undefined) ?? api,
    model: chosen,
    baseUrl: checkedUrl(place),
    keyName: given.keyName ?? (given.keyFile === undefined ? keyName : null),
    keyFile: given.keyFile ?? null,
    window: given.window ?? window,
    prices: pricesFor(chosen, given.prices),
  }
}

/** An address is stored and shown, so it must not contain a secret. */
function checkedUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw invalid('The option "baseUrl" must be an http or https URL.')
  if ([url.username, url.password, url.search, url.hash].some(part => part !== ''))
    throw invalid(
      'The option "baseUrl" must not contain a user name, password, query or "#": it is stored and shown.',
    )
  return trimEndOf(address, '/')
}

function pricesFor(model: string, given: GivenOptions['prices']): Prices | null {
  const known = pricesOf(model)
  if (given === undefined) return known
  const input = given.input ?? known?.input ?? 0
  return {
    input,
    output: given.output ?? known?.output ?? 0,
    cacheRead: given.cacheRead ?? known?.cacheRead ?? input,
    cacheWrite: given.cacheWrite ?? known?.cacheWrite ?? input,
  }
}

function mannerOf(given: GivenOptions) {
  return {
    instructions: given.instructions ?? '',
    reasoning: given.reasoning ?? null,
    maxOutputTokens: given.maxOutputTokens ?? null,
    steps: given.steps ?? 100,
    retries: given.retries ?? 5,
    retryMs: given.retryMs ?? 1_000,
    silenceMs: given.silenceMs ?? 180_000,
    allow: given.allow ?? [],
    tools: given.tools ?? toolNames,
    context: given.context ?? null,
    inherit: given.inherit ?? [],
    commandMs: given.commandMs ?? 120_000,
    fetchLocal: given.fetchLocal ?? false,
    pictures: given.pictures ?? true,
  }
}

const invalid = (message: string) => new DragomanError('invalid-input', message)
