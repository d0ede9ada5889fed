import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { ContentPart, Native } from '../conversation.ts'
import { addressOf, fromAddress } from '../file-source.ts'
import { fields, isList, textAt } from '../look.ts'

/**
 * The result of a tool as one JSON value, for formats without parts there: a text is a string, a value itself, and
 * several are `{ content: [{ type, … }] }`, as MCP writes them. Null when it is empty.
 */
export function valueOf(content: readonly ContentPart[]): Json | undefined {
  const known = content.filter(part => part.kind !== 'unknown' && itemOf(part) !== null)
  const [only] = known
  if (only === undefined) return undefined
  if (known.length === 1 && only.kind === 'text') return only.text
  if (known.length === 1 && only.kind === 'json' && !isAmbiguous(only.value)) return only.value
  return { content: known.flatMap(part => itemOf(part) ?? []) }
}

/** The parts of a JSON value of a tool; the inverse of `valueOf`. */
export function contentOf(value: Json | undefined, id: string, native?: Native): readonly ContentPart[] {
  if (value === undefined) return []
  const own = native && { native }
  if (typeof value === 'string') return [{ id: `${id}.0`, kind: 'text', text: value, ...own }]
  return itemsIn(value, id) ?? [{ id: `${id}.0`, kind: 'json', value, ...own }]
}

/** Whether a value would be parsed as something else. */
const isAmbiguous = (value: Json) => typeof value === 'string' || itemsIn(value, '') !== undefined

function itemOf(part: ContentPart): JsonObject | null {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'json':
      return { type: 'json', value: part.value }
    case 'file':
      return serializeFile(part)
    case 'unknown':
      return null
  }
}

function serializeFile({ mediaType, source, name }: ContentPart & { kind: 'file' }): JsonObject | null {
  if ('text' in source) return fields({ type: 'file', mediaType, text: source.text, filename: name })
  const url = addressOf(source, mediaType)
  return url === undefined ? null : fields({ type: 'file', mediaType, url, filename: name })
}

function itemsIn(value: Json, id: string): readonly ContentPart[] | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined
  const items = value['content']
  if (!isList(items) || items.length === 0) return undefined
  const parts = items.map((item, at) => parseItem(item, `${id}.${at}`))
  return parts.every(part => part !== undefined) ? parts : undefined
}

/** Parses only what `itemOf` would write exactly so. */
function parseItem(item: Json, id: string): ContentPart | undefined {
  if (!isObject(item)) return undefined
  const keys = Object.keys(item).toSorted().join(' ')
  const text = textAt(item, 'text')
  const value = item['value']
  if (item['type'] === 'text' && keys === 'text type' && text !== undefined) return { id, kind: 'text', text }
  if (item['type'] === 'json' && keys === 'type value' && value !== undefined)
    return { id, kind: 'json', value }
  return item['type'] === 'file' ? parseFile(item, keys, id) : undefined
}

function parseFile(item: JsonObject, keys: string, id: string): ContentPart | undefined {
  const mediaType = textAt(item, 'mediaType')
  const url = textAt(item, 'url')
  const text = textAt(item, 'text')
  const name = textAt(item, 'filename')
  const named = name === undefined ? {} : { name }
  if (mediaType === undefined || !/^(filename )?mediaType (text type|type url)$/.test(keys)) return undefined
  if (text !== undefined) return { id, kind: 'file', mediaType, source: { text }, ...named }
  if (url === undefined) return undefined
  const file = fromAddress(url, mediaType)
  return addressOf(file.source, mediaType) === url ? { id, kind: 'file', ...file, ...named } : undefined
}
