import { useEffect, useState } from 'react'
import { useDraftText } from '../drafts/use-draft-text.ts'

/** The values of a form, saved as the user fills it in. */
export interface FormDraft<Typed> {
  readonly typed: Typed
  /** Why it could not be saved, in a sentence. */
  readonly trouble: string | null
  readonly setTyped: (typed: Typed) => void
}

/** The values of a form. `read` parses saved values; `toKeep` removes secrets before saving. */
export function useFormDraft<Typed>(
  draft: string,
  read: (kept: string) => Typed,
  toKeep: (typed: Typed) => Typed,
  onWrite: (isWriting: boolean) => void,
): FormDraft<Typed> {
  const { words, setWords, trouble } = useDraftText(draft, '')
  const [typed, set] = useState(() => read(words))
  const hasDraft = words !== ''
  useEffect(() => onWrite(hasDraft), [onWrite, hasDraft])
  const setTyped = (next: Typed) => {
    set(next)
    setWords(JSON.stringify(toKeep(next)))
  }
  return { typed, trouble, setTyped }
}
