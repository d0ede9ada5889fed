import type { Exit } from '../agents/agent.ts'
import type { Raw } from '../protocol/event.ts'
import type { InteractionId } from '../protocol/ids.ts'
import type { Beginning, Handover } from './handover.ts'

/** What reaches us from one connection, in the order in which it is saved. */
export type Heard =
  | { readonly type: 'connected'; readonly process: number | null; readonly beginning: Beginning }
  /** A line of either side. Our own waits until it is `saved` before it is sent. */
  | {
      readonly type: 'said'
      readonly from: 'agent' | 'host'
      readonly raw: Raw
      readonly saved?: () => void
    }
  | { readonly type: 'handed-over'; readonly interaction: InteractionId; readonly handover: Handover }
  | { readonly type: 'logged'; readonly text: string }
  /** Nothing but a wish to know when all that was heard before is saved. */
  | { readonly type: 'asked-for-all'; readonly saved: () => void }
  | { readonly type: 'exited'; readonly exit: Exit }

/** The most that is held at a time: what one append may carry. */
export interface InboxLimits {
  readonly batchItems: number
  readonly batchBytes: number
}

/** Gathers what is heard while the last batch is being saved; it is kept as what it was made into. */
export interface Inbox<Kept> extends AsyncIterable<readonly Kept[]> {
  /** Takes one thing in. A full inbox slows the agent down: it gives a promise that resolves when there is room for the next. */
  put(heard: Heard): Promise<void> | undefined
  /** Takes the last thing in; it comes in a batch of its own, and what is put later is dropped. */
  close(last: Heard): void
  readonly closed: boolean
}

/** An inbox that holds a bounded amount. What comes in is made into something while there is nothing else to do but wait. */
export function createInbox<Kept>(
  { batchItems, batchBytes }: InboxLimits,
  make: (heard: Heard) => Kept,
): Inbox<Kept> {
  const [news, room] = [createCall(), createCall()]
  let items: Kept[] = []
  let bytes = 0
  let last: Heard | undefined

  const take = (): readonly Kept[] => {
    const batch = items
    items = []
    bytes = 0
    room.call()
    return batch
  }

  return {
    get closed() {
      return last !== undefined
    },
    put(heard) {
      if (last !== undefined) return undefined
      items.push(make(heard))
      bytes += sizeOf(heard)
      news.call()
      return items.length >= batchItems || bytes >= batchBytes ? room.heard() : undefined
    },
    close(heard) {
      last ??= heard
      news.call()
      // What is put from now on needs no room.
      room.call()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (items.length > 0) yield take()
        else if (last !== undefined) return yield [make(last)]
        else await news.heard()
      }
    },
  }
}

/** Wakes all who wait at the moment. */
function createCall() {
  let next = Promise.withResolvers<void>()
  return {
    heard: () => next.promise,
    call() {
      next.resolve()
      next = Promise.withResolvers()
    },
  }
}

function sizeOf(heard: Heard): number {
  if (heard.type === 'said') return heard.raw.raw.length + (heard.raw.rawBytes?.length ?? 0)
  return heard.type === 'logged' ? heard.text.length : 0
}
