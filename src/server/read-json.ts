import { DragomanError } from '../protocol/error.ts'
import { boundExceeded } from '../protocol/json-shape.ts'
import type { ServerLimits } from './limits.ts'

/** Enough for a conversation of 20,000 messages; more would hold up others while it is parsed. */
const mostThings = 200_000
const mostKeys = 10_000

type JsonLimits = Pick<ServerLimits, 'bodyBytes' | 'jsonDepth'>

/** Reads the JSON that a request carries, no more of it than is allowed. Undefined when it carries nothing. */
export async function readJsonBody(request: Request, limits: JsonLimits): Promise<unknown> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > limits.bodyBytes) throw tooLarge(limits)
  const bytes = await readBytes(request, limits)
  return bytes.length === 0 ? undefined : parseJson(bytes, limits)
}

async function readBytes(request: Request, limits: JsonLimits): Promise<Buffer> {
  if (request.body === null) return Buffer.alloc(0)
  const pieces: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the body, so that the rest is not read.
  for await (const piece of request.body) {
    size += piece.length
    if (size > limits.bodyBytes) throw tooLarge(limits)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const tooLarge = ({ bodyBytes }: JsonLimits) =>
  new DragomanError('too-large', `The body is larger than ${bodyBytes >> 20} MiB. Send less at once.`)

/** Parses JSON from outside: UTF-8, not too deep, and without the key that changes what objects are. */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  checkShape(bytes, limits.jsonDepth)
  const value = parse(decode(bytes))
  refusePrototypes(value)
  return value
}

/** Refuses what is nested too deep, or has too many things in it. */
function checkShape(bytes: Uint8Array, depth: number): void {
  const exceeded = boundExceeded(bytes, { depth, things: mostThings, keys: mostKeys })
  if (exceeded === 'depth') throw invalid(`The JSON is nested deeper than ${depth} levels. Flatten it.`)
  if (exceeded === 'keys') throw invalid(`An object has more than ${mostKeys} keys. Send fewer.`)
  if (exceeded === 'things') throw invalid(`The JSON has more than ${mostThings} values. Send fewer.`)
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

/** Refuses the key that changes what objects are. Goes as deep as the text, which is bounded. */
function refusePrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw invalid('The key "__proto__" is not allowed. Remove it.')
  for (const inner of Array.isArray(value) ? value : Object.values(value)) refusePrototypes(inner)
}

const invalid = (message: string) => new DragomanError('invalid-input', message)
