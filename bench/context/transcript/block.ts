import { tokensOf, type BlockKind } from '../counting.ts'

/** A tool call as the transcript has it. */
export interface Call {
  readonly id: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** A piece of the conversation that can be kept or cleared by itself. */
export interface Block {
  /** Its place in its segment, from 0. */
  readonly index: number
  readonly kind: BlockKind
  /** The message it belongs to. */
  readonly message: string
  /** The request that it answers or, for prompts and results, that it follows; from 1. */
  readonly step: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** The text that is counted. */
  readonly content: string
  /** The text that is searched: content without line numbers, inputs without JSON's quoting. */
  readonly words: string
  readonly tokens: number
  /** The call, also on the result that answers it. */
  readonly call: Call | null
  readonly isError: boolean
  /** The proof that thinking is the model's own; empty elsewhere. */
  readonly signature: string
}

/** A block but for its place. */
export interface Said {
  readonly kind: BlockKind
  readonly message: string
  readonly at: number
  readonly content: string
  readonly call?: Call
  readonly isError?: boolean
  readonly signature?: string
}

/** A block at its place. */
export function placed(said: Said, index: number, step: number): Block {
  const { kind, message, at, content, call, isError = false, signature = '' } = said
  return {
    index,
    kind,
    message,
    step,
    at,
    content,
    words: wordsOf(kind, content, call),
    tokens: tokensOf(kind, content.length),
    call: call ?? null,
    isError,
    signature,
  }
}

function wordsOf(kind: BlockKind, content: string, call: Call | undefined): string {
  if (kind === 'result') return withoutLineNumbers(content)
  return kind === 'call' && call !== undefined ? stringsIn(call.input).join('\n') : content
}

/** A file as it was read, without the numbers that Read sets before each line. */
export const withoutLineNumbers = (text: string): string => text.replaceAll(/^ *\d+[→\t]/gm, '')

/** Every string in a value, outermost first. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}
