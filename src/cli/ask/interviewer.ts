import { createApprovals, type Approval } from '../../projections/approvals.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Answer } from './dialogue.ts'

/** Gets answers to the agent's approvals. Disposing of it cancels open ones. */
export interface Interviewer extends AsyncDisposable {
  /** Handles an entry: shows an approval to the person, and cancels it once it is settled elsewhere. */
  handle(entry: Entry): void
}

/** What an interviewer needs. Neither function may reject. */
export interface InterviewerOptions {
  /** Answers one approval. Null leaves it open. */
  readonly answer: (asked: Approval, moot: AbortSignal) => Promise<Answer | null>
  /** Sends an answer to the agent. */
  readonly give: (asked: Approval, answer: Answer) => Promise<void>
}

/** Asks one approval after the other. */
export function createInterviewer({ answer, give }: InterviewerOptions): Interviewer {
  const approvals = createApprovals()
  const open = new Map<string, AbortController>()
  let seen: readonly Approval[] = []
  let asking: Promise<void> = Promise.resolve()

  const put = async (asked: Approval, moot: AbortSignal) => {
    const given = moot.aborted ? null : await answer(asked, moot)
    if (given !== null && !moot.aborted) await give(asked, given)
  }
  const look = (asked: Approval) => {
    const known = open.get(asked.id)
    if (asked.status !== 'pending') known?.abort()
    if (asked.status !== 'pending' || known !== undefined) return
    const moot = new AbortController()
    open.set(asked.id, moot)
    asking = asking.then(() => put(asked, moot.signal))
  }
  return {
    handle(entry) {
      approvals.apply(entry)
      const now = approvals.view()
      if (now === seen) return
      seen = now
      now.forEach(look)
    },
    async [Symbol.asyncDispose]() {
      for (const moot of open.values()) moot.abort()
      await asking
    },
  }
}
