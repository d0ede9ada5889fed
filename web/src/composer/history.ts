import { readKept, type BrowserStorage } from '../drafts/browser-storage.ts'

/** The position in the prompt history; `draft` is the text before the first step back. */
export interface Recall {
  readonly at: number
  readonly draft: string
}

/** The field after a step in the history; `recall` is null when it shows the draft again. */
export interface Recalled {
  readonly text: string
  readonly recall: Recall | null
}

/** One step in the prompt history, newest first; null when there is none in that direction. */
export function step(
  prompts: readonly string[],
  recall: Recall | null,
  direction: 'older' | 'newer',
  text: string,
): Recalled | null {
  const draft = recall?.draft ?? text
  const at = (recall?.at ?? -1) + (direction === 'older' ? 1 : -1)
  if (at === -1 && recall !== null) return { text: draft, recall: null }
  const prompt = prompts[at]
  return prompt === undefined ? null : { text: prompt, recall: { at, draft } }
}

/** A session's own prompts, then those of this browser, the newest first and none twice. */
export const promptsOf = (own: readonly string[], elsewhere: readonly string[]): readonly string[] => [
  ...new Set([...own.toReversed(), ...elsewhere.toReversed()].filter(text => text.trim() !== '')),
]

/** The prompts that were given in this browser, in whatever session. */
export interface PromptHistory {
  /** The oldest first. */
  list(): readonly string[]
  add(text: string): void
}

const key = 'dragoman prompts'
const most = 100
const longest = 10_000

/** Saves the last prompts; very long ones are left out. */
export function createPromptHistory(storage: BrowserStorage | null): PromptHistory {
  const list = () => {
    const kept = readKept(storage, key)
    return Array.isArray(kept) ? kept.filter(text => typeof text === 'string') : []
  }
  return {
    list,
    add(text) {
      if (text.trim() === '' || text.length > longest) return
      const kept = [...list().filter(each => each !== text), text].slice(-most)
      try {
        storage?.setItem(key, JSON.stringify(kept))
      } catch {
        // No room: the session itself still knows its own prompts.
      }
    },
  }
}
