/** An object that can die: from then on no call of it ever returns, as after `kill -9`. */
export function createMortal<Thing extends object>(thing: Thing, death: { readonly dead: boolean }): Thing {
  return new Proxy(thing, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown =>
        death.dead ? new Promise(() => {}) : Reflect.apply(value, target, given)
    },
  })
}
