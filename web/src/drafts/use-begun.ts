import { useState } from 'react'
import { begun } from './begun.ts'

/** Words that somebody changes. */
export interface UsedBegun {
  readonly words: string
  /** Why they are not kept, in a sentence. */
  readonly trouble: string | null
  readonly setWords: (words: string) => void
}

/** Words that are kept as somebody writes, for when the page or their place on it is left; as long as they differ from the first ones. */
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
