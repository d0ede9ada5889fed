import { useState } from 'react'
import { begun } from './begun.ts'

/** Editable text. */
export interface UsedBegun {
  readonly words: string
  /** Why they are not kept, in a sentence. */
  readonly trouble: string | null
  readonly setWords: (words: string) => void
}

/**
 * Text that is saved as the user types while it differs from the initial text, so that leaving the page does not
 * lose it.
 */
export function useBegun(what: string, first: string): UsedBegun {
  const [words, show] = useState(() => begun.read(what) ?? first)
  const [trouble, setTrouble] = useState<string | null>(null)
  const setWords = (next: string) => {
    show(next)
    if (next !== first) return setTrouble(begun.write(what, next))
    begun.forget(each => each === what)
    setTrouble(null)
  }
  return { words, trouble, setWords }
}
