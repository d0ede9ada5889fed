import type { Language } from './language-names.ts'

/** What a piece of code is, as far as its colour goes; the order is that of the numbers which the worker sends. */
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

/** A text that the worker is asked to colour. */
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
