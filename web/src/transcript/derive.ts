import type { Readable } from 'dragoman/client'

type Readables<Values extends readonly unknown[]> = { readonly [At in keyof Values]: Readable<Values[At]> }

/** A value derived from others, computed again only when one of them changes. */
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
