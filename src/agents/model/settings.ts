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
  /** Where the service is, up to its version: `http://127.0.0.1:11434/v1`. */
  baseUrl: z.optional(text),
  /** How OpenAI is spoken with; others speak only one. */
  api: z.optional(z.enum(['openai-responses', 'openai-chat'])),
  /** The environment variable that holds the key. Never the key itself. */
  keyName: z.optional(
    z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')),
  ),
  /** A file that holds nothing but the key, and that only you may read. */
  keyFile: z.optional(text),
  /** Instructions for the model, after our own. */
  instructions: z.optional(z.string()),
  reasoning: z.optional(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])),
  maxOutputTokens: z.optional(z.number().check(z.int(), z.positive())),
  /** How many tokens the model takes in. */
  window: z.optional(z.number().check(z.int(), z.positive())),
  /** Dollars for a million tokens. */
  prices: z.optional(z.object({ input: price, output: price, cacheRead: price, cacheWrite: price })),
  /** Whether the model takes pictures; only chat completions are asked without them. */
  pictures: z.optional(z.boolean()),
  /** How many requests to the model one prompt may take. */
  steps: z.optional(z.number().check(z.int(), z.positive())),
  /** How often a request is sent again when the service is busy or breaks off. */
  retries: z.optional(count),
  /** The first wait before that, in milliseconds; it doubles. */
  retryMs: z.optional(count),
  /** How long a service may say nothing, in milliseconds. */
  silenceMs: z.optional(z.number().check(z.int(), z.positive())),
  /** The tools that run without asking, beside those that only look. */
  allow: z.optional(z.array(z.enum(toolNames))),
  /** The tools that the model has; all of them when nothing is said. */
  tools: z.optional(z.array(z.enum(toolNames))),
  /** How much of the history may be left out of a request. */
  context: z.optional(z.enum(['off', 'lossless', 'safe', 'balanced', 'aggressive'])),
  /** Names of our own environment variables that commands may know. */
  inherit: z.optional(z.array(z.string())),
  /** How long a command may run, in milliseconds. */
  commandMs: z.optional(z.number().check(z.int(), z.positive())),
  /** Whether pages of this machine and its network may be fetched. */
  fetchLocal: z.optional(z.boolean()),
})

/** How a model is reached and what it may do. */
export interface Settings {
  readonly provider: ProviderName
  /** The service for people. */
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

type Told = z.infer<typeof optionsSchema>

/** Reads what an agent was configured with, and a session created with; what is not said is as usual. */
export function readSettings(options: Json): Settings {
  refuseNames(options)
  const told = checkInput(optionsSchema, options ?? {}, optionsOf('a model'))
  if (told.provider === undefined)
    throw invalid(`No service chosen. Set the option "provider": ${providerNames.join(', ')}.`)
  return { ...placeOf(told, told.provider), ...mannerOf(told) }
}

/** Refuses what there is not; and what is written into options is kept for ever, so a key must not be among it. */
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

function placeOf(told: Told, name: ProviderName) {
  const { title, api, keyName, baseUrl, model, window } = providers[name]
  const place = told.baseUrl ?? baseUrl
  if (place === null)
    throw invalid('No address set. Set the option "baseUrl" to the address of the model, up to "/v1".')
  const chosen = told.model ?? model
  if (chosen === null) throw invalid('No model chosen. Set the option "model".')
  return {
    provider: name,
    service: name === 'openai-compatible' ? `The service at ${place}` : title,
    api: (name === 'openai' ? told.api : undefined) ?? api,
    model: chosen,
    baseUrl: checkedUrl(place),
    keyName: told.keyName ?? (told.keyFile === undefined ? keyName : null),
    keyFile: told.keyFile ?? null,
    window: told.window ?? window,
    prices: pricesFor(chosen, told.prices),
  }
}

/** An address is kept and shown, so it must hold no secret. */
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

function pricesFor(model: string, told: Told['prices']): Prices | null {
  const known = pricesOf(model)
  if (told === undefined) return known
  const input = told.input ?? known?.input ?? 0
  return {
    input,
    output: told.output ?? known?.output ?? 0,
    cacheRead: told.cacheRead ?? known?.cacheRead ?? input,
    cacheWrite: told.cacheWrite ?? known?.cacheWrite ?? input,
  }
}

function mannerOf(told: Told) {
  return {
    instructions: told.instructions ?? '',
    reasoning: told.reasoning ?? null,
    maxOutputTokens: told.maxOutputTokens ?? null,
    steps: told.steps ?? 100,
    retries: told.retries ?? 5,
    retryMs: told.retryMs ?? 1_000,
    silenceMs: told.silenceMs ?? 180_000,
    allow: told.allow ?? [],
    tools: told.tools ?? toolNames,
    context: told.context ?? null,
    inherit: told.inherit ?? [],
    commandMs: told.commandMs ?? 120_000,
    fetchLocal: told.fetchLocal ?? false,
    pictures: told.pictures ?? true,
  }
}

const invalid = (message: string) => new DragomanError('invalid-input', message)
