import { DragomanError } from '../protocol/error.ts'
import type { ServerLimits } from './limits.ts'

const quote = 0x22
const backslash = 0x5c
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b])
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d])

const mostItems = 50_000
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
  new DragomanError('too-large', `A request may have ${bodyBytes >> 20} MiB at most. Send less at once.`)

/** Parses JSON from outside: UTF-8, not too deep, and without the key that changes what objects are. */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  // Looked at before it is parsed, because parsing it is what a deep text is meant to make expensive.
  checkDepth(bytes, limits.jsonDepth)
  const value = parse(decode(bytes))
  refuseOddities(value)
  return value
}

function checkDepth(bytes: Uint8Array, most: number): void {
  let depth = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte === quote) index = endOfString(bytes, index + 1)
    else if (closing.has(byte)) depth--
    else if (opening.has(byte) && ++depth > most)
      throw invalid(`The JSON is nested deeper than ${most} levels. Flatten it.`)
  }
}

function endOfString(bytes: Uint8Array, from: number): number {
  for (let index = bytes.indexOf(quote, from); index !== -1; index = bytes.indexOf(quote, index + 1)) {
    let slashes = 0
    while (bytes[index - 1 - slashes] === backslash && index - 1 - slashes >= from) slashes++
    if (slashes % 2 === 0) return index
  }
  return bytes.length
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalid('The body is no UTF-8 text. Send JSON in UTF-8.')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid(`The body is no JSON: ${why.slice(0, 200)}.`)
  }
}

/** As deep as the text, which is bounded. What has too many things in it would make every later look at it expensive. */
function refuseOddities(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__'))
    throw invalid('The key "__proto__" is not allowed anywhere. Leave it out.')
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  const most = Array.isArray(value) ? mostItems : mostKeys
  if (inside.length > most)
    throw invalid(
      `A ${Array.isArray(value) ? 'list' : 'value'} has more than ${most} things in it. Send fewer.`,
    )
  for (const inner of inside) refuseOddities(inner)
}

const invalid = (message: string) => new DragomanError('invalid-input', message)
