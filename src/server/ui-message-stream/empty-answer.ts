import type { Chunk } from '../../protocol/chunk.ts'
import type { Outcome } from '../../protocol/event.ts'

/** How an interaction without messages ended. */
export interface Silence {
  readonly outcome: Outcome
  readonly reason: string | null
}

/** The message for a client when an agent wrote nothing, or could not start. It is complete, because the client waits for one. */
export function emptyAnswer(name: string, { outcome, reason }: Silence): readonly Chunk[] {
  const messageMetadata = { reason: outcome }
  const start: Chunk = { type: 'start', messageId: `${name}:answer`, messageMetadata }
  if (outcome === 'finished') return [start, { type: 'finish', finishReason: 'stop' }]
  if (outcome === 'interrupted') return [start, { type: 'finish', finishReason: 'other', messageMetadata }]
  return [
    start,
    { type: 'error', errorText: reason ?? 'The agent failed without giving a reason.' },
    { type: 'finish', finishReason: 'error', messageMetadata },
  ]
}
