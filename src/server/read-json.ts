import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { DragomanError } from '../protocol/error.ts'
import { boundExceeded, type HashSeed } from '../protocol/json-shape.ts'
import type { ServerLimits } from './limits.ts'

/** Enough for a conversation of 20,000 messages. More would block other requests while it is parsed. */
const mostValues = 200_000
const mostKeys = 10_000
const largeBytes = 1 << 20
const seed: HashSeed = [randomInt(2 ** 32), randomInt(2 ** 32)]

type JsonLimits = Pick<ServerLimits, 'bodyBytes' | 'jsonDepth'>

/** Reads the JSON body of a request, up to the allowed size. Returns undefined for an empty body. */
export async function readJsonBody(request: Request, limits: JsonLimits): Promise<unknown> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > limits.bodyBytes) throw tooLarge(limits)
  const bytes = await readBytes(request, limits)
  if (bytes.length === 0) return undefined
  checkShape(bytes, limits.jsonDepth)
  // Lets other requests run between two steps that are slow for a large body.
  if (bytes.length > largeBytes) await setImmediate()
  return parseChecked(bytes)
}

async function readBytes(request: Request, limits: JsonLimits): Promise<Buffer> {
  if (request.body === null) return Buffer.alloc(0)
  const pieces: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the body, so the rest is not read.
  for await (const piece of request.body) {
    size += piece.length
    if (size > limits.bodyBytes) throw tooLarge(limits)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const tooLarge = ({ bodyBytes }: JsonLimits) =>
  new DragomanError('too-large', `The body is larger than ${bodyBytes >> 20} MiB. Send less at once.`)

/** Parses JSON from a client. Refuses text that is not UTF-8, is nested too deep, or has the key `__proto__`. */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  checkShape(bytes, limits.jsonDepth)
  return parseChecked(bytes)
}

function parseChecked(bytes: Uint8Array): unknown {
  const value = parse(decode(bytes))
  refusePrototypes(value)
  return value
}

/** Refuses JSON that is nested too deep, or has too many values or keys. */
function checkShape(bytes: Uint8Array, depth: number): void {
  const exceeded = boundExceeded(bytes, { depth, values: mostValues, keys: mostKeys }, seed)
  if (exceeded === 'depth') throw invalid(`The JSON is nested deeper than ${depth} levels. Flatten it.`)
  if (exceeded === 'keys')
    throw invalid(
      `The JSON has more than ${mostKeys} different keys. Send fewer, or put them into several calls.`,
    )
  if (exceeded === 'values')
    throw invalid(`The JSON has more than ${mostValues} values. Send fewer, or put them into several calls.`)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8. Send JSON in UTF-8.')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid(`The body is not valid JSON: ${why.slice(0, 200)}.`)
  }
}

/** Refuses the key `__proto__`, which would change what an object inherits. As deep as the text, which is bounded. */
function refusePrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) return value.forEach(refusePrototypes)
  if (Object.hasOwn(value, '__proto__')) throw invalid('The key "__proto__" is not allowed. Remove it.')
  // Twice as fast as Object.values, for objects with many keys.
  for (const key in value) refusePrototypes((value as Readonly<Record<string, unknown>>)[key])
}

const invalid = (message: string) => new DragomanError('invalid-input', message)
