import type { PromptPart } from 'dragoman'
import type { WaitingPrompt } from 'dragoman/client'

/** A prompt that the server has and that has not begun, as it is shown above the composer. */
export interface WaitingRow {
  readonly id: string
  readonly parts: readonly PromptPart[]
  /** Whether it waits for a person to let it go on. */
  readonly held: boolean
}

/**
 * What waits, in the order in which it will run: what is held comes when it is let go. That a prompt was let go just now
 * is known here before the server tells of it.
 */
export const waitingRows = (
  queue: readonly WaitingPrompt[],
  letGo: ReadonlySet<string> = new Set(),
): readonly WaitingRow[] =>
  queue
    .map(({ prompt: id, parts, held }) => ({ id, parts, held: held && !letGo.has(id) }))
    .toSorted((one, other) => Number(one.held) - Number(other.held))

/** Why prompts are held, in a sentence. */
export const whyHeld =
  'On hold because the server restarted or the session was archived. Press Continue to run it. New prompts run first.'

/** What becomes of the place of a prompt that is edited: a server takes prompts at the end of the queue only. */
export const editNote = 'Queued prompts run in this order. Editing one moves it to the end of the queue.'
