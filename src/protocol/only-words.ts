import type { ThreadChunk } from './chunk.ts'

/**
 * Whether chunks do no more than go on with text or thinking that has begun. Most of a stream is such, and changes
 * nothing but its message; whoever keeps anything else can pass it by.
 */
export function areOnlyWords(chunks: readonly ThreadChunk[]): boolean {
  for (const { chunk } of chunks)
    if (chunk.type !== 'text-delta' && chunk.type !== 'reasoning-delta') return false
  return chunks.length > 0
}
