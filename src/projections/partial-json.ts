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
export function createPartialJson(): PartialJson {
  const scan = createJsonScan()
  let text = ''
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
    const value = JSON.parse(text) as Json
    return /\\u|__proto__|constructor/.test(text) ? refuseForbidden(value) : value
  } catch {
    return undefined
  }
}

/** The AI SDK shows nothing of an input that reaches for an object's prototype, and neither do we. */
function refuseForbidden(value: Json): Json | undefined {
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (typeof node !== 'object' || node === null) continue
    if (isForbidden(node)) return undefined
    for (const inner of Object.values(node)) waiting.push(inner)
  }
  return value
}

function isForbidden(node: object): boolean {
  if (Object.hasOwn(node, '__proto__')) return true
  if (!Object.hasOwn(node, 'constructor')) return false
  const inner: unknown = node.constructor
  return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')
}
