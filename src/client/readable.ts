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

/** Told when the first one subscribes, and when the last one leaves. */
export interface Audience {
  came(): void
  left(): void
}

const nobody: Audience = { came() {}, left() {} }

/** A readable with a first value. */
export function createWritable<Value>(first: Value, audience: Audience = nobody): Writable<Value> {
  const runs = new Set<(value: Value) => void>()
  let value = first
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const run of runs) run(value)
    },
    subscribe(given) {
      // The same function may subscribe twice, and each may leave once.
      const run = (each: Value) => given(each)
      runs.add(run)
      if (runs.size === 1) audience.came()
      run(value)
      return () => {
        if (runs.delete(run) && runs.size === 0) audience.left()
      }
    },
  }
}

/** A part of another readable: its subscribers hear only of changes of that part. */
export const select = <Whole, Part>(whole: Readable<Whole>, pick: (value: Whole) => Part): Readable<Part> =>
  derive([whole], () => pick(whole.get()))

/** Something made of two readables: its subscribers hear only of changes of that. */
export const combine = <One, Other, Made>(
  one: Readable<One>,
  other: Readable<Other>,
  make: (one: One, other: Other) => Made,
): Readable<Made> => derive([one, other], () => make(one.get(), other.get()))

function derive<Made>(from: readonly Readable<unknown>[], get: () => Made): Readable<Made> {
  return {
    get,
    subscribe(run) {
      let told: { readonly made: Made } | null = null
      const tell = () => {
        const made = get()
        if (told !== null && Object.is(told.made, made)) return
        told = { made }
        run(made)
      }
      const stops = from.map(each => each.subscribe(tell))
      return () => stops.forEach(stop => stop())
    },
  }
}
