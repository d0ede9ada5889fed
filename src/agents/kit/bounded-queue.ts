/** A queue for one reader, with a size limit; writers wait while it is full. */
export interface BoundedQueue<Item> extends AsyncIterable<Item> {
  /** Resolves when there is room for the next item. */
  push(item: Item): Promise<void>
  /** Removes the limit, for a writer that is known to add only a little more. */
  release(): void
  end(): void
}

/** Creates a queue with a limit for the total size of its items; the last item may exceed it. */
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
