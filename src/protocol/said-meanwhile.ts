import type { MessagePart } from './message.ts'

/** The code of a notice with what a person said to the agent while it was at work, and the agent took into its answer. */
export const saidMeanwhile = 'said-meanwhile'

/** What a person said in the middle of an answer; null for every other part of it. */
export const meanwhileIn = (part: MessagePart): string | null =>
  part.type === 'data-notice' && part.data.code === saidMeanwhile ? part.data.message : null
