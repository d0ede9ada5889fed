import type { ErrorCode } from '../../protocol/error.ts'
import type { Batch } from '../format/frame.ts'
import type { TableBatch } from './tables.ts'

/** The options of the writer. */
export interface WriterOptions {
  readonly folder: string
  /** `full` survives a loss of power, `fast` only the death of the process. */
  readonly durability: 'full' | 'fast'
  /** For tests: ends the process, or the writer's thread, when a named step is reached for the n-th time. */
  readonly fault: Fault | null
  /** How many changed pages may gather in the write-ahead log. */
  readonly checkpointPages: number
  /** For tests: the database may not grow beyond this many pages. */
  readonly maxPages: number | null
}

/** A step to fail at. */
export interface Fault {
  readonly step: WriterStep
  readonly occurrence: number
  /** Fails the whole thread there instead of ending the process. */
  readonly throws?: true
}

/** The named steps between taking a batch and acknowledging it. A crash at any of them must lose nothing acknowledged. */
export const writerSteps = [
  'batch-received',
  'frame-inserted',
  'segments-inserted',
  'before-commit',
  'after-commit',
  'after-mark',
  'after-acknowledge',
  'before-checkpoint',
  'after-checkpoint',
  'after-witness',
] as const
/** One of the named steps. */
export type WriterStep = (typeof writerSteps)[number]

/** One group commit. */
export interface Commit {
  readonly type: 'commit'
  /** Increased after each failure. A commit that was sent before the failure was known has wrong numbers, and is refused. */
  readonly epoch: number
  readonly batch: Batch
  readonly creates: readonly (readonly [no: number, id: string])[]
  readonly names: readonly (readonly [name: string, session: number, seq: number])[]
  readonly writes: readonly TableBatch[]
}

/** Messages to the writer. */
export type ToWriter =
  | { readonly type: 'open'; readonly options: WriterOptions }
  | Commit
  | { readonly type: 'rest'; readonly sessions: readonly number[] }
  | { readonly type: 'close' }

/** Messages from the writer. */
export type FromWriter =
  /** The commit is saved; the batches for other tables that were refused are named by their place. */
  | { readonly type: 'committed'; readonly refused: readonly (readonly [index: number, message: string])[] }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly message: string }
  /** Sessions and the seq up to which their entries are packed now. */
  | { readonly type: 'settled'; readonly sessions: readonly (readonly [no: number, seq: number])[] }
  /** Something beside the commits failed and will be tried again: packing, a checkpoint, the witness. */
  | { readonly type: 'trouble'; readonly code: ErrorCode; readonly message: string }
  /** Why nothing can be saved at the moment; null when it can be again. */
  | {
      readonly type: 'health'
      readonly failure: { readonly code: ErrorCode; readonly message: string } | null
    }
  | { readonly type: 'closed' }
