import { inert, inertLine } from '../terminal/inert.ts'
import type { Answer, Asked, Dialogue } from './dialogue.ts'
import { answeredInput, type Question } from './question.ts'

/** Asks questions, each as a numbered choice. Other text is accepted as an answer, too. */
export async function askQuestions(
  dialogue: Dialogue,
  { input }: Asked,
  questions: readonly Question[],
): Promise<Answer | null> {
  const answers = new Map<string, string>()
  for (const question of questions) {
    const answer = await askOne(dialogue, question)
    if (answer === null) return null
    answers.set(question.question, answer)
  }
  return { approved: true, input: answeredInput(input, answers) }
}

async function askOne({ say, ask, style }: Dialogue, question: Question): Promise<string | null> {
  const lines = question.options.map(({ label, description }, index) => {
    const more = description === null ? '' : style.dim(` · ${inertLine(description)}`)
    return `  ${index + 1}  ${inertLine(label)}${more}\n`
  })
  say(`${style.yellow(inert(question.question))}\n${lines.join('')}`)
  const which = question.several ? 'Numbers separated by commas' : 'A number'
  for (;;) {
    const typed = (await ask(`${which}, or type your own answer > `))?.trim()
    if (typed === undefined) return null
    const answer = typed === '' ? null : chosen(question, typed)
    if (answer !== null) return answer
    say(`Type a number from 1 to ${question.options.length}, or your own answer.\n`)
  }
}

/** The labels chosen by number, or the typed text; null for a number that is not a choice. */
function chosen({ options, several }: Question, typed: string): string | null {
  if (!(several ? /^\d+(\s*,\s*\d+)*$/ : /^\d+$/).test(typed)) return typed
  const labels = typed.split(',').map(number => options[Number(number) - 1]?.label)
  return labels.every(label => label !== undefined) ? labels.join(', ') : null
}
