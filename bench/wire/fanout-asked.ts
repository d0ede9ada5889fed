import type { MemoryHeld } from './memory-held.ts'

/** How events are saved before they are sent: in our journal, in a bare file, or not at all. */
export type Keeps = 'journal' | 'file' | 'nothing'

/** The requests to a server with many sessions. */
export type FanoutAsked =
  | { readonly type: 'open'; readonly folder: string; readonly keeps: Keeps; readonly sessions: number }
  | { readonly type: 'memory' }
  /** `bytes` makes each line at least so long. */
  | { readonly type: 'speak'; readonly pace: number; readonly milliseconds: number; readonly bytes?: number }
  /** Lets the first session write this many lines, each when the one before is saved; each has the time at which it was written. */
  | { readonly type: 'say'; readonly count: number }

/** Its replies. */
export type FanoutTold =
  | {
      readonly type: 'opened'
      readonly url: string
      readonly token: string
      readonly sessions: readonly string[]
    }
  | { readonly type: 'memory'; readonly memory: MemoryHeld }
  | { readonly type: 'said' }
  | { readonly type: 'spoke'; readonly events: number; readonly cpuMicroseconds: number }
