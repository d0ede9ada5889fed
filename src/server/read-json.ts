import { DragomanError } from '../protocol/error.ts'
import type { ServerLimits } from './limits.ts'

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

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
  // Looked at before it is parsed, because parsing it is what a deep or crowded text is meant to make expensive.
  checkShape(bytes, limits.jsonDepth)
  const value = parse(decode(bytes))
  refusePrototypes(value)
  return value
}

/** Refuses what is nested too deep, or has a list or an object with too many things in it. */
function checkShape(bytes: Uint8Array, mostDepth: number): void {
  const open: { readonly isList: boolean; things: number }[] = []
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (byte === quote) index = endOfString(bytes, index + 1)
    else if (byte === closeList || byte === closeObject) open.pop()
    else if (byte === openList || byte === openObject) {
      if (open.length === mostDepth)
        throw invalid(`The JSON is nested deeper than ${mostDepth} levels. Flatten it.`)
      open.push({ isList: byte === openList, things: 1 })
    } else if (byte === comma) countThing(open.at(-1))
  }
}

function countThing(place: { readonly isList: boolean; things: number } | undefined): void {
  if (place === undefined) return
  const most = place.isList ? mostItems : mostKeys
  place.things += 1
  if (place.things > most)
    throw invalid(`A ${place.isList ? 'list' : 'value'} has more than ${most} things in it. Send fewer.`)
}

function endOfString(bytes: Uint8Array, from: number): number {
  let index = from
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1
  return index
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

/** Refuses the key that changes what objects are. Goes as deep as the text, which is bounded. */
function refusePrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__'))
    throw invalid('The key "__proto__" is not allowed anywhere. Leave it out.')
  for (const inner of Array.isArray(value) ? value : Object.values(value)) refusePrototypes(inner)
}

const invalid = (message: string) => new DragomanError('invalid-input', message)
