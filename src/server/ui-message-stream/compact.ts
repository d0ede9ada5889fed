import type { Item } from './item.ts'

type ItemOf<Type extends Item['type']> = Extract<Item, { readonly type: Type }>

/** The items so far, and the positions of those that later items may be merged into. */
interface Compacted {
  readonly items: (Item | null)[]
  readonly deltas: Map<string, number>
  readonly inputs: Map<string, number>
  readonly data: Map<string, number>
  readonly preliminary: Map<string, number>
}

/** Merges an item; returns true if it need not be added. */
type Take<Type extends Item['type']> = (compacted: Compacted, item: ItemOf<Type>) => boolean

/**
 * Merges consecutive items without changing the resulting message. The text of a part becomes one delta, the deltas of a
 * complete tool input are dropped, and only the last of replaced data is kept.
 */
export function compact(items: readonly Item[]): readonly Item[] {
  if (items.length < 2) return items
  const compacted = begin()
  for (const item of items) if (!take(compacted, item)) compacted.items.push(item)
  return compacted.items.filter(item => item !== null)
}

const begin = (): Compacted => ({
  items: [],
  deltas: new Map(),
  inputs: new Map(),
  data: new Map(),
  preliminary: new Map(),
})

const takes: { readonly [Type in Item['type']]?: Take<Type> } = {
  // The next items may belong to another message.
  start({ deltas, inputs, data, preliminary }) {
    for (const each of [deltas, inputs, data, preliminary]) each.clear()
    return false
  },
  'text-delta': takeDelta,
  'reasoning-delta': takeDelta,
  'text-end': ({ deltas }, { id }) => forget(deltas, `text-delta ${id}`),
  'reasoning-end': ({ deltas }, { id }) => forget(deltas, `reasoning-delta ${id}`),
  'tool-input-delta': takeInput,
  'tool-input-available': dropInput,
  'tool-input-error': dropInput,
  'tool-output-available': takeOutput,
  'tool-output-error': takeOutput,
}

function take(compacted: Compacted, item: Item): boolean {
  const known = takes[item.type] as Take<Item['type']> | undefined
  if (known !== undefined) return known(compacted, item)
  return item.type.startsWith('data-') && takeData(compacted, item)
}

function forget(places: Map<string, number>, key: string): false {
  places.delete(key)
  return false
}

type Delta = ItemOf<'text-delta' | 'reasoning-delta'>

/** Adds a delta to the first delta of its part, with the newest metadata. */
function takeDelta({ items, deltas }: Compacted, item: Delta): boolean {
  const last = items.at(-1)
  // Nearly all deltas follow another of the same part, and there are thousands.
  if (last != null && isDelta(last) && last.type === item.type && last.id === item.id) {
    items[items.length - 1] = joined(last, item)
    return true
  }
  const key = `${item.type} ${item.id}`
  const place = deltas.get(key)
  const before = place === undefined ? undefined : items[place]
  if (place === undefined || before == null || !isDelta(before)) {
    deltas.set(key, items.length)
    return false
  }
  items[place] = joined(before, item)
  return true
}

const isDelta = (item: Item): item is Delta => item.type === 'text-delta' || item.type === 'reasoning-delta'

function joined(
  before: Delta,
  { type, id, delta, providerMetadata = before.providerMetadata }: Delta,
): Delta {
  const words = { type, id, delta: before.delta + delta }
  return providerMetadata === undefined ? words : { ...words, providerMetadata }
}

function takeInput({ items, inputs }: Compacted, item: ItemOf<'tool-input-delta'>): boolean {
  const place = inputs.get(item.toolCallId)
  const before = place === undefined ? undefined : items[place]
  if (place === undefined || before?.type !== item.type) {
    inputs.set(item.toolCallId, items.length)
    return false
  }
  items[place] = { ...before, inputTextDelta: before.inputTextDelta + item.inputTextDelta }
  return true
}

function dropInput(
  { items, inputs }: Compacted,
  { toolCallId }: ItemOf<'tool-input-available' | 'tool-input-error'>,
): false {
  drop(items, inputs.get(toolCallId))
  return forget(inputs, toolCallId)
}

/** A final output replaces a preliminary one. A denial does not, and an approval stays visible. */
function takeOutput(
  { items, preliminary }: Compacted,
  item: ItemOf<'tool-output-available' | 'tool-output-error'>,
): false {
  drop(items, preliminary.get(item.toolCallId))
  preliminary.delete(item.toolCallId)
  if (item.type === 'tool-output-available' && item.preliminary === true)
    preliminary.set(item.toolCallId, items.length)
  return false
}

function drop(items: (Item | null)[], place: number | undefined): void {
  if (place !== undefined) items[place] = null
}

/** Data with an id stays at its first position. */
function takeData({ items, data }: Compacted, item: Item): boolean {
  if (!('id' in item) || item.id === undefined) return false
  const key = `${item.type} ${item.id}`
  const place = data.get(key)
  if (place === undefined) {
    data.set(key, items.length)
    return false
  }
  items[place] = item
  return true
}
