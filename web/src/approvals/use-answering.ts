import { useCallback, useState } from 'react'
import type { Json } from 'dragoman'
import { isDragomanError, type Session } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { toast } from '../ui/toast.ts'
import { useCalm } from '../ui/use-calm.ts'
import { useLost } from '../ui/use-lost.ts'
import { refusalWords } from './answer-words.ts'

type Given = Parameters<Session['answer']>[1]

/** An answer as it is given. */
export interface Answer extends Omit<Given, 'input'> {
  /** The input to run with instead, or the words that were asked for. */
  readonly input?: Json
}

/** How a question is answered, and whether it can be now. */
export interface Answering {
  /** False without a question or a server, before it has stood there for a moment, and while an answer is on its way. */
  readonly mayAnswer: boolean
  readonly isOutOfReach: boolean
  readonly answer: (answer: Answer) => void
}

/** Answers a question of a session, null for none. The first answer counts; who comes later is told who was first. */
export function useAnswering(session: Session, question: string | null): Answering {
  const isOutOfReach = useLost(useClient()) !== null
  const isCalm = useCalm(question)
  const [given, setGiven] = useState<ReadonlySet<string>>(new Set())
  const answer = useCallback(
    (wanted: Answer) => {
      if (question === null) return
      setGiven(before => new Set(before).add(question))
      session.answer(question, wanted as Given).catch((error: unknown) => {
        toast(refusalWords(error), { tone: 'bad' })
        // What is settled goes away by itself; anything else can be tried again.
        if (isDragomanError(error, 'approval-settled', 'unknown-approval')) return
        setGiven(before => new Set([...before].filter(each => each !== question)))
      })
    },
    [session, question],
  )
  const mayAnswer = question !== null && isCalm && !isOutOfReach && !given.has(question)
  return { mayAnswer, isOutOfReach, answer }
}
