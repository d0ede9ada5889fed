import type { Conversation } from '../../src/context/formats/conversation.ts'
import type { Block } from './transcript/block.ts'
import type { Request, Segment } from './transcript/segment.ts'

/** A block as a request shows it. */
export interface Shown {
  readonly block: Block
  readonly tokens: number
  /** What can be read of it now; null when all of it can. */
  readonly words: string | null
  /** The text that is here itself, where the rest is read through references; null when that is the same. */
  readonly standing: string | null
  /** The sent value, to be compared with the request before: the same object or the same JSON is the same. */
  readonly sent: unknown
}

/** An array that the product's compiler gave. */
export interface Compiled {
  readonly conversation: Conversation
  readonly milliseconds: number
  /** False when rolling everything back, which is tried at the end, did not give the very bytes of sending everything. */
  readonly isRestored: boolean
}

/** Hears of every array that the product's compiler gave. */
export type Witness = (compiled: Compiled) => void

/** A way of building the message array, replayed over the requests of a segment in their order. */
export interface Policy {
  readonly name: string
  /** Whether it is one of ours, through the product's own compiler, or the rule of another program. */
  readonly isOurs: boolean
  start(segment: Segment, cacheSeconds: number, witness: Witness): (request: Request) => readonly Shown[]
}
