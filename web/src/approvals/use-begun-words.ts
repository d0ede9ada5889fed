import { useEffect, useState } from 'react'
import { useBegun } from '../drafts/use-begun.ts'

/** The values of a form, saved as the user fills it in. */
export interface BegunWords<Said> {
  readonly said: Said
  /** Why it is not kept, in a sentence. */
  readonly trouble: string | null
  readonly say: (said: Said) => void
}

/** The values of a form. `read` parses saved values; `toKeep` removes secrets before saving. */
export function useBegunWords<Said>(
  draft: string,
  read: (kept: string) => Said,
  toKeep: (said: Said) => Said,
  onWrite: (isWriting: boolean) => void,
): BegunWords<Said> {
  const { words, setWords, trouble } = useBegun(draft, '')
  const [said, setSaid] = useState(() => read(words))
  const isBegun = words !== ''
  useEffect(() => onWrite(isBegun), [onWrite, isBegun])
  const say = (next: Said) => {
    setSaid(next)
    setWords(JSON.stringify(toKeep(next)))
  }
  return { said, trouble, say }
}
