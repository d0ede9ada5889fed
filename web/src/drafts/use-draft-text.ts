import { useState } from 'react'
import { draftStore } from './draft-store.ts'

/** Editable text. */
export interface DraftText {
  readonly words: string
  /** Why it could not be saved, in a sentence. */
  readonly trouble: string | null
  readonly setWords: (words: string) => void
}

/**
 * Text that is saved as the user types while it differs from the initial text, so that leaving the page does not
 * lose it.
 */
export function useDraftText(what: string, first: string): DraftText {
  const [words, show] = useState(() => draftStore.read(what) ?? first)
  const [trouble, setTrouble] = useState<string | null>(null)
  const setWords = (next: string) => {
    show(next)
    if (next !== first) return setTrouble(draftStore.write(what, next))
    draftStore.forget(each => each === what)
    setTrouble(null)
  }
  return { words, trouble, setWords }
}
