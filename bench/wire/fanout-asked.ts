import type { MemoryHeld } from './memory-held.ts'

/** What becomes of events before they are told: they are saved in our journal, appended to a bare file, or nothing. */
export type Keeps = 'journal' | 'file' | 'nothing'

/** What a server with many sessions is asked. */
export type FanoutAsked =
  | { readonly type: 'open'; readonly folder: string; readonly keeps: Keeps; readonly sessions: number }
  | { readonly type: 'memory' }
  /** `bytes` makes each line at least so long. */
  | { readonly type: 'speak'; readonly pace: number; readonly milliseconds: number; readonly bytes?: number }
  /** Lets the first session say so many lines, each when the one before is saved; each holds the time at which it was said. */
  | { readonly type: 'say'; readonly count: number }

/** What it answers. */
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
