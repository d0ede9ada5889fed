import type { Item } from './item.ts'

type ItemOf<Type extends Item['type']> = Extract<Item, { readonly type: Type }>

/** The items that stay, and where those stand that later ones may be put together with. */
interface Compacted {
  readonly items: (Item | null)[]
  readonly deltas: Map<string, number>
  readonly inputs: Map<string, number>
  readonly data: Map<string, number>
  readonly preliminary: Map<string, number>
}

/** Takes an item in; true when nothing is left to be added. */
type Take<Type extends Item['type']> = (compacted: Compacted, item: ItemOf<Type>) => boolean

/**
 * Makes fewer items of some that follow each other; whoever folds them gets the same message. The words of a part
 * become one delta, of a tool's input nothing stays once it is whole, and of data that is replaced only the last.
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
  // What comes now may belong to another message.
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

/** Words are put to the first that came of their part; the newest facts about it count. */
function takeDelta({ items, deltas }: Compacted, item: Delta): boolean {
  const last = items.at(-1)
  // Nearly all words follow others of their part, and there are thousands.
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

/** An output takes the place of a preliminary one; a denial does not, and a question shows it. */
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

/** Named data stays at its first place. */
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
