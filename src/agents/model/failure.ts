import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from 'ai'
import { asObject, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { parseJson } from '../kit/parse-json.ts'
import type { Settings } from './settings.ts'
import { shortPageText } from './tools/page-text.ts'

/** Why a model did not answer: a kind for programs, a message for people, and whether a retry makes sense. */
export class ModelFailure extends Error {
  readonly kind: string
  readonly isPassing: boolean
  /** How long the service asks us to wait, in milliseconds. */
  readonly waitMs: number | null

  constructor(kind: string, message: string, isPassing = false, waitMs: number | null = null) {
    super(message)
    this.kind = kind
    this.isPassing = isPassing
    this.waitMs = waitMs
  }
}

type Place = Pick<Settings, 'service' | 'model' | 'baseUrl' | 'keyName' | 'keyFile'>

/** The failure of a request. */
export function failureOf(error: unknown, place: Place): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (APICallError.isInstance(error) && error.statusCode !== undefined)
    return refusalOf(error.statusCode, error.responseBody ?? '', error.responseHeaders ?? {}, place)
  if (isUnreadable(error))
    return new ModelFailure(
      'unreadable',
      `${place.service} sent a reply that cannot be read (${short(error.message)}).`,
    )
  return unreachable(error, place)
}

const isUnreadable = (error: unknown): error is Error =>
  [JSONParseError, TypeValidationError, InvalidResponseDataError].some(each => each.isInstance(error))

interface Refusal extends Place {
  readonly status: number
  /** The service's message, and its own error code. */
  readonly details: string
  /** The same for people. */
  readonly text: string
}

interface Meaning {
  readonly kind: string
  fits(refusal: Refusal): boolean
  describe(refusal: Refusal): string
}

/** Refusals that no retry would change; the first match counts. */
const meanings: readonly Meaning[] = [
  {
    kind: 'wrong-key',
    fits: ({ status, details }) =>
      status === 401 ||
      status === 403 ||
      /api.?key.{0,80}(invalid|not valid)|invalid.{0,80}api.?key/i.test(details),
    describe: ({ service, text, keyName, keyFile }) => {
      const place = keyFile ?? keyName
      const from = place === null ? '' : ` from ${place}`
      return `${service} rejected the API key${from} (${text}). Correct it and try again.`
    },
  },
  {
    kind: 'unknown-model',
    fits: ({ status, details }) =>
      status === 404 ||
      /model_not_found|not_found_error|unknown model|model.{0,80}(does not exist|not found)/i.test(details),
    describe: ({ service, model, text }) =>
      `${service} has no model "${model}" (${text}). Choose another with the option "model".`,
  },
  {
    kind: 'too-long',
    fits: ({ details }) => /context.?(length|window)|too long|too many tokens|maximum context/i.test(details),
    describe: ({ model, text }) => `The conversation is too long for ${model} (${text}).`,
  },
  {
    kind: 'no-credit',
    fits: ({ details }) => /insufficient_quota|credit balance|billing/i.test(details),
    describe: ({ service, text }) => `${service} requires payment (${text}).`,
  },
]

const picturesAdvice = ' If the model does not accept images, set the option "pictures" to false.'
const passing = new Set([408, 409, 429])
const kinds: Readonly<Record<number, string>> = { 429: 'rate-limited', 503: 'overloaded', 529: 'overloaded' }

function refusalOf(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
  place: Place,
): ModelFailure {
  const { kind, message } = messageIn(body)
  const text = message === '' ? `status ${status}` : `${status}: ${message}`
  const refusal: Refusal = { ...place, status, text, details: `${kind} ${message}` }
  const meaning = meanings.find(each => each.fits(refusal))
  if (meaning) return new ModelFailure(meaning.kind, meaning.describe(refusal))
  const advice = /image|picture|vision|multimodal|mmproj/i.test(message) ? picturesAdvice : ''
  const sentence = `${place.service} answered with an error (${text}).${advice}`
  const isPassing = passing.has(status) || status >= 500
  return new ModelFailure(kinds[status] ?? 'provider-error', sentence, isPassing, waitOf(headers, body))
}

/** Services have the message in different places. */
function messageIn(body: string): { readonly kind: string; readonly message: string } {
  const value = parseJson(body)
  const first = Array.isArray(value) ? (value[0] ?? null) : value
  const fields = asObject(first ?? undefined)
  const error: Fields =
    typeof fields['error'] === 'string' ? { message: fields['error'] } : objectOf(fields, 'error')
  const message = textOf(error, 'message') || textOf(fields, 'message') || textOf(fields, 'detail')
  const kind = short(textOf(error, 'code') || textOf(error, 'type') || textOf(error, 'status'))
  if (message !== '') return { kind, message: short(message) }
  return { kind, message: value === undefined ? short(shortPageText(body).replaceAll(/\s+/g, ' ')) : '' }
}

const shownLength = 300

const short = (text: string) => (text.length <= shownLength ? text : `${text.slice(0, shownLength)}…`)

/** How long to wait, from headers or Google's details. */
function waitOf(headers: Readonly<Record<string, string>>, body: string): number | null {
  const milliseconds = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(milliseconds)) return milliseconds
  const after = headers['retry-after']
  if (after !== undefined && /^[\d.]+$/.test(after.trim())) return Number(after) * 1000
  const date = after === undefined ? Number.NaN : Date.parse(after)
  if (!Number.isNaN(date)) return Math.max(0, date - Date.now())
  const delay = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body)?.[1]
  return delay === undefined ? null : Number(delay) * 1000
}

/** No service answered, or it fell silent; or the request could not be sent. */
function unreachable(error: unknown, { service, baseUrl }: Place): ModelFailure {
  const codes = causesOf(error)
  const text = error instanceof Error ? error.message : String(error)
  const place = service.includes(baseUrl) ? service : `${service} at ${baseUrl}`
  const describe = (sentence: string) => new ModelFailure('unreachable', `${place} ${sentence}`, true)
  if (codes.includes('ECONNREFUSED')) return describe('is not running, or the address is wrong.')
  if (codes.includes('ENOTFOUND') || codes.includes('EAI_AGAIN'))
    return describe('was not found. Check the address and the network.')
  if (codes.length > 0 || /fetch failed|terminated|network|socket/i.test(text))
    return describe(`could not be reached (${short([text, ...codes].join(', '))}).`)
  return new ModelFailure(
    'request-failed',
    `The request to ${inSentence(place)} could not be made (${short(text)}).`,
  )
}

function causesOf(error: unknown): readonly string[] {
  const codes: string[] = []
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    const { code } = at as NodeJS.ErrnoException
    if (typeof code === 'string') codes.push(code)
    if (at instanceof AggregateError) codes.push(...at.errors.flatMap(causesOf))
  }
  return [...new Set(codes)]
}

/** The name of a service in the middle of a sentence. */
export const inSentence = (service: string): string => service.replace(/^The /, 'the ')

/** The failure for an error inside a stream. */
export function brokenStream(kind: string, message: string, { service }: Place): ModelFailure {
  const passes =
    /overload|rate_?limit|server_error|api_error|internal|unavailable|timeout|RESOURCE_EXHAUSTED/i.test(kind)
  const name = /overload|unavailable/i.test(kind) ? 'overloaded' : 'provider-error'
  return new ModelFailure(name, `${service} stopped with an error (${short(message || kind)}).`, passes)
}

/** The failure of a stream that ended in the middle. */
export const cutStream = ({ service }: Place): ModelFailure =>
  new ModelFailure('cut-stream', `The answer from ${inSentence(service)} was cut off.`, true)

/** The failure of a service that redirects. */
export const movedAway = (status: number, { service }: Place): ModelFailure =>
  new ModelFailure(
    'moved',
    `${service} redirects to another address (status ${status}), and the API key is not sent there. Correct the option "baseUrl".`,
  )

/** The failure of a service that answers with something else than a stream. */
export const noStream = (type: string, { service }: Place): ModelFailure =>
  new ModelFailure(
    'no-stream',
    `${service} sent ${type.split(';')[0]} instead of a stream. Check the option "baseUrl".`,
  )

/** The failure of an answer that was too long. */
export const endless = ({ service }: Place): ModelFailure =>
  new ModelFailure('too-much', `The answer from ${service} was too long and was cut off.`)
