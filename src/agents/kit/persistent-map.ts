/** An immutable map: a changed copy costs almost nothing, however large it has grown. */
export interface PersistentMap<Key, Value> {
  /** Older and larger layers first; a newer layer hides the values of older ones. */
  readonly layers: readonly ReadonlyMap<Key, Value>[]
}

/** A map with nothing in it. */
export function emptyMap<Key, Value>(): PersistentMap<Key, Value> {
  return { layers: [] }
}

/** What the map holds for a key. */
export function getIn<Key, Value>({ layers }: PersistentMap<Key, Value>, key: Key): Value | undefined {
  for (let at = layers.length - 1; at >= 0; at -= 1) {
    const value = layers[at]?.get(key)
    if (value !== undefined) return value
  }
  return undefined
}

/** The map with one more entry, or with another value for its key. */
export function setIn<Key, Value>(
  { layers }: PersistentMap<Key, Value>,
  key: Key,
  value: Value,
): PersistentMap<Key, Value> {
  let top = new Map<Key, Value>().set(key, value)
  let kept = layers.length
  // Layers of like size melt together, so there are few of them and each entry is seldom copied.
  for (let below = layers[kept - 1]; below && below.size <= top.size; below = layers[kept - 1]) {
    top = melt(below, top)
    kept -= 1
  }
  return { layers: kept === 0 ? [top] : [...layers.slice(0, kept), top] }
}

function melt<Key, Value>(below: ReadonlyMap<Key, Value>, top: Map<Key, Value>): Map<Key, Value> {
  // The commonest change by far: another value for the only key.
  if (below.size === 1 && top.has(below.keys().next().value as Key)) return top
  const melted = new Map(below)
  for (const [key, value] of top) melted.set(key, value)
  return melted
}

/** The newest entries of the map, oldest key first. */
export function entriesIn<Key, Value>({ layers }: PersistentMap<Key, Value>): ReadonlyMap<Key, Value> {
  return new Map(layers.flatMap(layer => [...layer]))
}
