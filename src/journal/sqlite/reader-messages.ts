import type { ErrorCode } from '../../protocol/error.ts'
import type { Cell, Row } from './tables.ts'

/** A question to the reader thread. Each one is answered once, with its number. */
export type Question =
  /** A session by its name: its number and how far it is packed. */
  | { readonly type: 'session'; readonly id: string }
  /** The name of a session by its number. */
  | { readonly type: 'session-name'; readonly no: number }
  /** The segment with the entry after `after`; without its raws unless they are wanted. */
  | { readonly type: 'segment'; readonly session: number; readonly after: number; readonly raws: boolean }
  /** Where an id or key that a caller gave was saved. */
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'rows'; readonly sql: string; readonly parameters: readonly Cell[] }

/** The answers, by the type of their question. */
export interface Answers {
  session: { readonly no: number; readonly packed: number } | undefined
  'session-name': string | undefined
  segment: { readonly first: number; readonly events: Uint8Array; readonly raws: Uint8Array } | undefined
  name: { readonly session: number; readonly seq: number } | undefined
  rows: readonly Row[]
}

/** A message from the reader thread. */
export type FromReader =
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly failure: { readonly code: ErrorCode; readonly message: string } }
