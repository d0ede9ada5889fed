import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import type { Json } from 'dragoman'
import { isDragomanError, type Session, type Client } from 'dragoman/client'
import { useClient } from 'dragoman/react'
import { useComparing, type CountComparing } from '../tools/diff/comparing-context.ts'
import { toast } from '../ui/toast.ts'
import { useCalm } from '../ui/use-calm.ts'
import { useLost } from '../ui/use-lost.ts'
import { forgetAnswer } from './answer-drafts.ts'
import { refusalWords, firstWords } from './answer-words.ts'

type Given = Parameters<Session['answer']>[1]

/** An answer to a request. */
export interface Answer extends Omit<Given, 'input'> {
  /** The input to run instead, or the requested answer. */
  readonly input?: Json
}

/** How to answer a request, and whether that is possible now. */
export interface Answering {
  /** False without a request or server, shortly after it appears, and while an answer is being sent. */
  readonly mayAnswer: boolean
  readonly isOutOfReach: boolean
  /** Whether the requested edit is still being compared: it cannot be allowed before it is shown. */
  readonly isComparing: boolean
  readonly countComparing: CountComparing
  readonly answer: (answer: Answer) => void
  /** Reports that the user started or left a form. */
  readonly write: (isWriting: boolean) => void
  readonly isWriting: () => boolean
}

/** Answers a session's approval request; null for none. The first answer wins; later ones get an error naming the winner. */
export function useAnswering(session: Session, question: string | null): Answering {
  const isOutOfReach = useLost(useClient()) !== null
  const isCalm = useCalm(question)
  const [given, setGiven] = useState<ReadonlySet<string>>(new Set())
  const [isComparing, countComparing] = useComparing()
  const written = useOvertaken(session, question)
  const answer = useCallback(
    (wanted: Answer) => {
      if (question === null || (wanted.approved && isComparing)) return
      setGiven(before => new Set(before).add(question))
      const wasWritten = written.current
      written.current = null
      const settled = () => forgetAnswer(session.id, question)
      session.answer(question, wanted as Given).then(settled, (error: unknown) => {
        toast(refusalWords(error), { tone: 'bad' })
        // Settled requests disappear on their own; anything else can be retried.
        if (isDragomanError(error, 'approval-settled', 'unknown-approval')) return settled()
        setGiven(before => new Set([...before].filter(each => each !== question)))
        written.current = wasWritten
      })
    },
    [session, question, written, isComparing],
  )
  const write = useCallback(
    (isWriting: boolean) => void (written.current = isWriting ? question : null),
    [question, written],
  )
  const mayAnswer = question !== null && isCalm && !isOutOfReach && !given.has(question)
  return {
    mayAnswer,
    isOutOfReach,
    isComparing,
    countComparing,
    answer,
    write,
    isWriting: () => written.current !== null,
  }
}

/** The request being answered, noted so that the user learns when someone else answers first. */
function useOvertaken(session: Session, question: string | null): RefObject<string | null> {
  const client = useClient()
  const written = useRef<string | null>(null)
  useEffect(
    () => () => {
      if (question === null || written.current !== question) return
      written.current = null
      void tellOvertaken(client, session.id, question)
    },
    [client, session, question],
  )
  return written
}

/** Tells the user who answered first when their unfinished answer disappears; nothing while the request is pending. */
async function tellOvertaken(
  { call }: Pick<Client, 'call'>,
  session: string,
  question: string,
): Promise<void> {
  const first = await call('listApprovals', { params: { session }, query: { all: '1' } }).then(
    ({ approvals }) => approvals.find(({ id }) => id === question),
    // If loading failed, it is unknown whether the request is still pending.
    () => undefined,
  )
  if (first === undefined || first.status === 'pending') return
  forgetAnswer(session, question)
  toast(`Your answer was not sent. ${firstWords(first)}`, { tone: 'bad' })
}
