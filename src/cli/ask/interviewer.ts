import { createApprovals, type Approval } from '../../projections/approvals.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Answer } from './dialogue.ts'

/** Sees to it that what an agent asks gets its answer. Disposing of it takes back what still stands. */
export interface Interviewer extends AsyncDisposable {
  /** Looks at an entry: a question is put to the person, and taken back when it has become moot. */
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
