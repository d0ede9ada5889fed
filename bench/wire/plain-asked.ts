import type { MemoryHeld } from './memory-held.ts'

/** The requests to the plain server: its address and its size, perhaps after writing much to all of its clients. */
export type PlainAsked =
  | { readonly type: 'look' }
  | { readonly type: 'write'; readonly bytes: number; readonly piece: number }

/** Where it is, and how much memory it holds. */
export interface PlainTold {
  readonly url: string
  readonly memory: MemoryHeld
}
