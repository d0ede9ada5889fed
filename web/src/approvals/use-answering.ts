import { useCallback, useState } from 'react'
import type { Json } from 'dragoman'
import { isDragomanError, type Session } from 'dragoman/client'
import { toast } from '../ui/toast.ts'
import { refusalWords } from './answer-words.ts'

type Given = Parameters<Session['answer']>[1]

/** An answer as it is given. */
export interface Answer extends Omit<Given, 'input'> {
  /** The input to run with instead, or the words that were asked for. */
  readonly input?: Json
}

/** Gives answers, and knows which are on their way. */
export interface Answering {
  /** The questions that were answered here and are not settled yet. */
  readonly given: ReadonlySet<string>
  readonly answer: (approval: string, answer: Answer) => void
}

/** Answers questions of a session. The first answer counts; who comes later is told who was first. */
export function useAnswering(session: Session): Answering {
  const [given, setGiven] = useState<ReadonlySet<string>>(new Set())
  const answer = useCallback(
    (approval: string, wanted: Answer) => {
      setGiven(before => new Set(before).add(approval))
      session.answer(approval, wanted as Given).catch((error: unknown) => {
        toast(refusalWords(error), { tone: 'bad' })
        // What is settled goes away by itself; anything else can be tried again.
        if (isDragomanError(error, 'approval-settled', 'unknown-approval')) return
        setGiven(before => new Set([...before].filter(each => each !== approval)))
      })
    },
    [session],
  )
  return { given, answer }
}
