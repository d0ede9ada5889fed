import { isObject, type Json } from '../../protocol/json.ts'

/** Encoded data, such as a picture, is not text. */
const longestEncoded = 1000
const encoded = /^(?:data:[^,]{0,100},)?[A-Za-z0-9+/=_-]*$/

/** The text in a JSON value: its strings and numbers in order, one on each line. */
export function textOfJson(value: Json | undefined): string {
  if (typeof value === 'string') return isEncoded(value) ? '' : value
  const lines: string[] = []
  collect(value ?? null, lines)
  return lines.join('\n')
}

function collect(value: Json, lines: string[]): void {
  if (typeof value === 'string') {
    if (value !== '' && !isEncoded(value)) lines.push(value)
  } else if (typeof value === 'number') lines.push(String(value))
  else if (Array.isArray(value)) for (const each of value as readonly Json[]) collect(each, lines)
  else if (isObject(value))
    for (const [name, each] of Object.entries(value)) if (!isKind(name, value)) collect(each, lines)
}

const isEncoded = (text: string) => text.length > longestEncoded && encoded.test(text)

/** `{"type": "text", "text": …}`: the type is not text. */
const isKind = (name: string, block: Readonly<Record<string, Json>>) =>
  name === 'type' && ('text' in block || 'content' in block || 'source' in block || 'data' in block)
