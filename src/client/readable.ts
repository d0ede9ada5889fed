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
      if (Object.is(next, value)) return
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

/** A part of another readable; it notifies only about changes of that part. */
export const select = <Whole, Part>(whole: Readable<Whole>, pick: (value: Whole) => Part): Readable<Part> =>
  derive([whole], () => pick(whole.get()))

/** A value computed from two readables; it notifies only about changes of that value. */
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
