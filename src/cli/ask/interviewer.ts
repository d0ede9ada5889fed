import { createApprovals, type Approval } from '../../projections/approvals.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Answer } from './dialogue.ts'

/** Gets answers to the agent's approvals. Disposing of it cancels open ones. */
export interface Interviewer extends AsyncDisposable {
  /** Looks at an entry: an approval is shown to the person, and cancelled once it is settled elsewhere. */
  hear(entry: Entry): void
}

/** What an interviewer works with; neither may reject. */
export interface InterviewerOptions {
  /** Answers one question: a person does, or a rule. Null leaves it open. */
  readonly answer: (asked: Approval, moot: AbortSignal) => Promise<Answer | null>
  /** Brings an answer to the agent. */
  readonly give: (asked: Approval, answer: Answer) => Promise<void>
}

/** Puts one question after the other. */
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
    hear(entry) {
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
