import type { Client } from 'dragoman/client'
import { toast } from '../ui/toast.ts'
import { forgetAnswer } from './answer-drafts.ts'
import { firstWords } from './answer-words.ts'

/** Tells somebody whose half-written answer went away who was first; nothing while the question still waits. */
export async function tellOvertaken(
  { call }: Pick<Client, 'call'>,
  session: string,
  question: string,
): Promise<void> {
  const first = await call('listApprovals', { params: { session }, query: { all: '1' } }).then(
    ({ approvals }) => approvals.find(({ id }) => id === question),
    // Whether it still waits is not known then.
    () => undefined,
  )
  if (first === undefined || first.status === 'pending') return
  forgetAnswer(session, question)
  toast(`Your answer was not sent. ${firstWords(first)}`, { tone: 'bad' })
}
