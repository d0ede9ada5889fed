import type { Language } from './language-names.ts'

/** The token kinds that have a color; the order matches the numbers that the worker sends. */
export const kinds = [
  'plain',
  'constant',
  'string',
  'comment',
  'keyword',
  'parameter',
  'function',
  'string-expression',
  'punctuation',
  'link',
  'inserted',
  'deleted',
  'changed',
] as const

/** Pieces of a line, each with the number of its kind. */
export type ColouredLine = readonly (readonly [kind: number, text: string])[]

/** A text to highlight in the worker. */
export interface ColourRequest {
  readonly id: number
  readonly text: string
  readonly language: Language
}

/** What the worker answers; no lines, where it could not be done. */
export interface ColourReply {
  readonly id: number
  readonly lines: readonly ColouredLine[] | null
}
