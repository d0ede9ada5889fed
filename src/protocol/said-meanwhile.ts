import type { MessagePart } from './message.ts'

/** The code of a notice with a message that a person sent while the agent was working, and that the agent used in its answer. */
export const saidMeanwhile = 'said-meanwhile'

/** A message that a person sent in the middle of an answer; null for every other part. */
export const meanwhileIn = (part: MessagePart): string | null =>
  part.type === 'data-notice' && part.data.code === saidMeanwhile ? part.data.message : null
