/** A queue for one reader, with a size limit; writers wait while it is full. */
export interface BoundedQueue<Item> extends AsyncIterable<Item> {
  /** Resolves when there is room for the next. */
  push(item: Item): Promise<void>
  /** Lets everything in from now on: what is still to come is known to be little. */
  release(): void
  end(): void
}

/** Makes a queue that holds things of a total size, and a little more. */
export function boundedQueue<Item>(limit: number, sizeOf: (item: Item) => number): BoundedQueue<Item> {
  const items: Item[] = []
  let size = 0
  let released = false
  let ended = false
  let arrived = Promise.withResolvers<void>()
  let room = Promise.withResolvers<void>()
  const isFull = () => size > limit && !released
  return {
    async push(item) {
      items.push(item)
      size += sizeOf(item)
      arrived.resolve()
      while (isFull()) await room.promise
    },
    release() {
      released = true
      room.resolve()
    },
    end() {
      ended = true
      arrived.resolve()
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        for (let item = items.shift(); item !== undefined; item = items.shift()) {
          size -= sizeOf(item)
          room.resolve()
          room = Promise.withResolvers()
          yield item
        }
        if (ended) return
        arrived = Promise.withResolvers()
        await arrived.promise
      }
    },
  }
}
