import type { Json } from '../protocol/json.ts'
import { createJsonScan } from './json-scan.ts'

/** JSON text that is still arriving, and what it means so far. */
export interface PartialJson {
  readonly text: string
  push(delta: string): void
  /** What the text means when closed where it stands; undefined while it means nothing. */
  value(): Json | undefined
}

/** Collects JSON text in pieces. Each character is looked at once, and only when the value is asked for. */
export function createPartialJson(begun = ''): PartialJson {
  const scan = createJsonScan()
  let text = begun
  return {
    get text() {
      return text
    },
    push(delta) {
      text += delta
    },
    value() {
      scan.read(text)
      const whole = mayBeWhole(text) ? parse(text) : undefined
      return whole === undefined ? parse(text.slice(0, scan.safe) + scan.closing()) : whole
    },
  }
}

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** Failing to parse is slow, so a text that cannot be whole is not tried. */
function mayBeWhole(text: string): boolean {
  const closer = closers[text.trimStart().charAt(0)]
  return closer === undefined || text.trimEnd().endsWith(closer)
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text, /\\u|__proto__|constructor/.test(text) ? refuseForbidden : undefined) as Json
  } catch {
    return undefined
  }
}

/** The AI SDK shows nothing of an input with a key that could change an object's prototype, and neither do we. */
function refuseForbidden(key: string, value: unknown): unknown {
  if (key === '__proto__' || (key === 'constructor' && Object.hasOwn(Object(value) as object, 'prototype')))
    throw new SyntaxError('The input has a key that could change a prototype.')
  return value
}
