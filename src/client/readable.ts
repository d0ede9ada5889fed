/** A value that changes: Svelte's `subscribe` contract, and with `get` React's `useSyncExternalStore`. */
export interface Readable<Value> {
  /** The value now; the same object until something in it changed. */
  readonly get: () => Value
  /** Calls `run` at once and after every change, until the returned function is called. */
  readonly subscribe: (run: (value: Value) => void) => () => void
}

/** A readable that its maker sets. */
export interface Writable<Value> extends Readable<Value> {
  readonly set: (value: Value) => void
}

/** Called on the first subscription, and when there has been none for a while. */
export interface Audience {
  came(): void
  left(): void
  /** How long the while is, in milliseconds. */
  readonly lingerMs: number
}

/** A readable with a first value. */
export function createWritable<Value>(first: Value, audience?: Audience): Writable<Value> {
  const runs = new Set<(value: Value) => void>()
  let value = first
  let timer: ReturnType<typeof setTimeout> | null = null
  const come = () => {
    if (timer === null) return audience?.came()
    clearTimeout(timer)
    timer = null
  }
  const leave = () => {
    timer = null
    audience?.left()
  }
  return {
    get: () => value,
    set(next) {
      if (next === value) return
      value = next
      for (const run of runs) run(value)
    },
    subscribe(given) {
      // The same function may subscribe twice, and each may leave once.
      const run = (each: Value) => given(each)
      runs.add(run)
      if (runs.size === 1) come()
      run(value)
      return () => {
        if (runs.delete(run) && runs.size === 0 && audience) timer = setTimeout(leave, audience.lingerMs)
      }
    },
  }
}

type Readables<Values extends readonly unknown[]> = { readonly [At in keyof Values]: Readable<Values[At]> }

/** A value derived from others. It is computed again only when one of them changes, and notifies only when it changes. */
export function derive<const Values extends readonly unknown[], Made>(
  from: Readables<Values>,
  make: (...values: Values) => Made,
): Readable<Made> {
  let last: { readonly values: Values; readonly made: Made } | null = null
  const get = () => {
    const values = from.map(each => each.get()) as unknown as Values
    if (!last?.values.every((value, at) => value === values[at])) last = { values, made: make(...values) }
    return last.made
  }
  return {
    get,
    subscribe(run) {
      let shown: unknown = {}
      const update = () => {
        const made = get()
        if (shown === made) return
        shown = made
        run(made)
      }
      const stops = from.map(each => each.subscribe(update))
      return () => stops.forEach(stop => stop())
    },
  }
}

/** A part of another readable; it notifies only about changes of that part. */
export const select = <Whole, Part>(whole: Readable<Whole>, pick: (value: Whole) => Part): Readable<Part> =>
  derive([whole], pick)

/** A list as it was before, when it holds the same things. */
export function sameList<Item>(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  return before.length === after.length && after.every((item, at) => item === before[at]) ? before : after
}
