import type { Json } from '../protocol/json.ts'
import type { ContentPart, Part } from './formats/conversation.ts'

/** Changes one text of a part. */
type ChangeText = (text: string) => string

/** The texts of a part that a model reads line by line, in order. */
export function textsOf(part: Part): readonly string[] {
  const texts: string[] = []
  withTexts(part, text => {
    texts.push(text)
    return text
  })
  return texts
}

/** The part with each of its texts changed; the part itself where none changed. */
export function withTexts(part: Part, change: ChangeText): Part {
  switch (part.kind) {
    case 'text': {
      const text = change(part.text)
      return text === part.text ? part : { ...part, text }
    }
    case 'call': {
      const input = inJson(part.input, change)
      if (input === part.input) return part
      const { inputText: _, ...rest } = part
      return { ...rest, input }
    }
    case 'result': {
      const content = inList(part.content, each => inContent(each, change))
      return content === part.content ? part : { ...part, content }
    }
    case 'reasoning':
    case 'file':
    case 'unknown':
      return part
  }
}

function inContent(part: ContentPart, change: ChangeText): ContentPart {
  if (part.kind === 'text') {
    const text = change(part.text)
    return text === part.text ? part : { ...part, text }
  }
  if (part.kind !== 'json') return part
  const value = inJson(part.value, change)
  return value === part.value ? part : { ...part, value }
}

function inJson(value: Json, change: ChangeText): Json {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return inList(value as readonly Json[], each => inJson(each, change))
  const fields = Object.entries(value as Readonly<Record<string, Json>>)
  const changed = inList<[string, Json]>(fields, field => {
    const next = inJson(field[1], change)
    return next === field[1] ? field : [field[0], next]
  })
  return changed === fields ? value : Object.fromEntries(changed)
}

/** The list with each item changed; the list itself where none changed. */
function inList<Item>(list: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  let changed: Item[] | null = null
  for (const [index, item] of list.entries()) {
    const next = change(item)
    if (next !== item) changed ??= [...list]
    if (changed !== null) changed[index] = next
  }
  return changed ?? list
}
