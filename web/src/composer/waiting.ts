import type { PromptPart } from 'dragoman'
import type { WaitingPrompt } from 'dragoman/client'

/** A queued prompt, as shown above the composer. */
export interface WaitingRow {
  readonly id: string
  readonly parts: readonly PromptPart[]
  /** Whether it is held until the user releases it. */
  readonly held: boolean
}

/**
 * Queued prompts in the order they will run; those on hold come last. A prompt that was just released is known
 * here before the server confirms it.
 */
export const waitingRows = (
  queue: readonly WaitingPrompt[],
  letGo: ReadonlySet<string> = new Set(),
): readonly WaitingRow[] =>
  queue
    .map(({ prompt: id, parts, held }) => ({ id, parts, held: held && !letGo.has(id) }))
    .toSorted((one, other) => Number(one.held) - Number(other.held))

/** Why prompts are on hold. */
export const whyHeld =
  'On hold because the server restarted or the session was archived. Press Continue to run it. New prompts run first.'

/** The note about editing a queued prompt: the server only adds prompts at the end of the queue. */
export const editNote = 'Queued prompts run in this order. Editing one moves it to the end of the queue.'
