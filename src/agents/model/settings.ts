import { checkInput, optionsOf } from '../../protocol/check-input.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import { trimEndOf } from '../../protocol/linear-text.ts'
import { asObject } from '../kit/fields.ts'
import type { Prices } from './lines.ts'
import { optionsSchema, type GivenOptions } from './options.ts'
import { pricesOf } from './prices.ts'
import { providerNames, providers, type ProviderName } from './providers.ts'
import { toolNames } from './tools/names.ts'
import type { Api } from './wire/wire-event.ts'

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
  readonly reasoning: GivenOptions['reasoning'] | null
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
  const { title, api, keyName, baseUrl, models, window } = providers[name]
  const place = given.baseUrl ?? baseUrl
  if (place === null)
    throw invalid('No address set. Set the option "baseUrl" to the address of the model, up to "/v1".')
  const chosen = given.model ?? models[0]
  if (chosen === undefined) throw invalid('No model chosen. Set the option "model".')
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
