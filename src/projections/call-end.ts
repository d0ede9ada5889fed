import type { Chunk } from '../protocol/chunk.ts'

type ChunkOf<Type extends Chunk['type']> = Extract<Chunk, { readonly type: Type }>

/** A chunk after which nothing more is expected of a tool call. */
export type CallEnd =
  | (ChunkOf<'tool-output-available'> & { readonly preliminary?: false })
  | ChunkOf<'tool-output-error' | 'tool-output-denied' | 'tool-input-error'>

const ends: ReadonlySet<string> = new Set<CallEnd['type']>([
  'tool-output-available',
  'tool-output-error',
  'tool-output-denied',
  'tool-input-error',
])

/** Whether a chunk ends a tool call; a preliminary output does not. */
export const endsCall = (chunk: Chunk): chunk is CallEnd =>
  ends.has(chunk.type) && !(chunk.type === 'tool-output-available' && chunk.preliminary === true)
