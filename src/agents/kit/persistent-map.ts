/** An immutable map. A changed copy is cheap, however large the map is. */
export interface PersistentMap<Key, Value> {
  /** Older and larger layers first; a newer layer hides the values of older ones. */
  readonly layers: readonly ReadonlyMap<Key, Value>[]
  /** The last change. It hides all layers, and is not in one yet: most changes are to the same key as the one before. */
  readonly latest: { readonly key: Key; readonly value: Value } | null
}

/** An empty map. */
export function emptyMap<Key, Value>(): PersistentMap<Key, Value> {
  return { layers: [], latest: null }
}

/** The value of a key. */
export function getIn<Key, Value>(
  { layers, latest }: PersistentMap<Key, Value>,
  key: Key,
): Value | undefined {
  if (latest !== null && latest.key === key) return latest.value
  for (let at = layers.length - 1; at >= 0; at -= 1) {
    const value = layers[at]?.get(key)
    if (value !== undefined) return value
  }
  return undefined
}

/** A copy of the map with a new value for a key. */
export function setIn<Key, Value>(
  { layers, latest }: PersistentMap<Key, Value>,
  key: Key,
  value: Value,
): PersistentMap<Key, Value> {
  const settled = latest === null || latest.key === key ? layers : withLayer(layers, latest.key, latest.value)
  return { layers: settled, latest: { key, value } }
}

/** The layers with one more. Layers of similar size are merged, so there are few of them and each entry is rarely copied. */
function withLayer<Key, Value>(
  layers: readonly ReadonlyMap<Key, Value>[],
  key: Key,
  value: Value,
): readonly ReadonlyMap<Key, Value>[] {
  let top = new Map<Key, Value>().set(key, value)
  let kept = layers.length
  for (let below = layers[kept - 1]; below && below.size <= top.size; below = layers[kept - 1]) {
    top = merge(below, top)
    kept -= 1
  }
  return kept === 0 ? [top] : [...layers.slice(0, kept), top]
}

function merge<Key, Value>(below: ReadonlyMap<Key, Value>, top: Map<Key, Value>): Map<Key, Value> {
  const merged = new Map(below)
  for (const [key, value] of top) merged.set(key, value)
  return merged
}

/** The newest entries of the map, oldest key first. */
export function entriesIn<Key, Value>({
  layers,
  latest,
}: PersistentMap<Key, Value>): ReadonlyMap<Key, Value> {
  const entries = new Map(layers.flatMap(layer => [...layer]))
  return latest === null ? entries : entries.set(latest.key, latest.value)
}

/** Whether the map has no entry. */
export const isEmpty = ({ latest }: PersistentMap<unknown, unknown>): boolean => latest === null
