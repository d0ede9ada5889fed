import type { PromptId } from '../protocol/ids.ts'
import type { PromptPart } from '../protocol/message.ts'
import { momentOf, type Moment } from './moment.ts'
import type { Projection } from './projection.ts'

/** A prompt that waits for its turn. */
export interface QueuedPrompt {
  readonly prompt: PromptId
  readonly parts: readonly PromptPart[]
  readonly queued: Moment
}

/** The prompts that were queued and neither begun nor withdrawn, in order. */
export const queue: Projection<readonly QueuedPrompt[]> = {
  initial: [],
  apply(waiting, entry) {
    const { event } = entry
    if (event.type === 'prompt-queued') {
      const { prompt, parts } = event
      return [...without(waiting, prompt), { prompt, parts, queued: momentOf(entry) }]
    }
    const left = event.type === 'prompt-withdrawn' || event.type === 'interaction-started'
    return left ? without(waiting, event.prompt) : waiting
  },
}

function without(waiting: readonly QueuedPrompt[], prompt: PromptId | null): readonly QueuedPrompt[] {
  return waiting.some(each => each.prompt === prompt)
    ? waiting.filter(each => each.prompt !== prompt)
    : waiting
}
