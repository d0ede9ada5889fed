import type { EntryView } from '../entry-view.ts'
import type { Output } from '../terminal/output.ts'
import { askApproval } from './ask-approval.ts'
import { askQuestions } from './ask-questions.ts'
import type { Answer, Asked, Dialogue } from './dialogue.ts'
import type { LineSource } from './line-source.ts'
import { questionsIn } from './question.ts'

/** The terminal where approvals are shown. */
export interface Terminal {
  readonly lines: LineSource
  readonly out: Output
  /** Holds back other output while a question is open. */
  readonly view: EntryView
}

/** Asks the person at the terminal. A closed terminal means denial. */
export async function askPerson(
  { lines, out, view }: Terminal,
  asked: Asked,
  moot: AbortSignal,
): Promise<Answer | null> {
  const dialogue: Dialogue = {
    style: out.style,
    say: text => out.write(text),
    ask(prompt) {
      out.write(out.style.bold(prompt))
      return lines.next(moot)
    },
  }
  view.hold()
  try {
    const questions = questionsIn(asked.input)
    const answer = await (questions === null
      ? askApproval(dialogue, asked)
      : askQuestions(dialogue, asked, questions))
    if (answer !== null) return answer
    out.write('\n')
    return moot.aborted ? null : { approved: false, reason: 'The terminal was closed.' }
  } finally {
    view.release()
  }
}
