import { useEffect, useState } from 'react'
import { useBegun } from '../drafts/use-begun.ts'

/** What is filled into a form, kept as somebody fills it in. */
export interface BegunWords<Said> {
  readonly said: Said
  /** Why it is not kept, in a sentence. */
  readonly trouble: string | null
  readonly say: (said: Said) => void
}

/** What is filled into a form. `read` makes it of anything that may be kept; `toKeep` leaves out what is nobody else's to see. */
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
