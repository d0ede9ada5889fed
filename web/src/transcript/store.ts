import type { Readable } from 'dragoman/client'

/** A value that its maker changes. */
export interface Store<Value> extends Readable<Value> {
  readonly set: (value: Value) => void
}

/** A value with a beginning. */
export function createStore<Value>(first: Value): Store<Value> {
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
      const run = (each: Value) => given(each)
      runs.add(run)
      run(value)
      return () => void runs.delete(run)
    },
  }
}

type Readables<Values extends readonly unknown[]> = { readonly [At in keyof Values]: Readable<Values[At]> }

/** Something made of other values, made anew only when one of them is another. */
export function derive<const Values extends readonly unknown[], Made>(
  from: Readables<Values>,
  make: (...values: Values) => Made,
): Readable<Made> {
  let last: { readonly values: Values; readonly made: Made } | null = null
  const get = () => {
    const values = from.map(each => each.get()) as unknown as Values
    if (last === null || values.some((value, at) => !Object.is(value, last?.values[at])))
      last = { values, made: make(...values) }
    return last.made
  }
  const subscribe = (run: (value: Made) => void) => {
    let told: { readonly made: Made } | null = null
    const tell = () => {
      const made = get()
      if (told !== null && Object.is(told.made, made)) return
      told = { made }
      run(made)
    }
    const stops = from.map(each => each.subscribe(tell))
    return () => stops.forEach(stop => stop())
  }
  return { get, subscribe }
}
