import type { Json } from '../../protocol/json.ts'
import { inert } from '../terminal/inert.ts'
import type { Answer, Asked, Dialogue } from './dialogue.ts'

/** What a person may type: to change the input only where the agent takes another. */
const choicesFor = (mayChange: boolean) =>
  `y allow · n deny · ${mayChange ? 'e change the input · ' : ''}a always allow > `

/** Asks whether a tool may run. The tool and its input are shown in full: nobody can allow what they cannot see. */
export async function askApproval(
  dialogue: Dialogue,
  { tool, input, mayChange }: Asked,
): Promise<Answer | null> {
  const { say, ask, style } = dialogue
  say(`${style.yellow(`${inert(tool)} would run with this input:`)}\n${inputText(input)}\n`)
  for (;;) {
    const typed = await ask(choicesFor(mayChange))
    if (typed === null) return null
    const choice = typed.trim().toLowerCase()
    if (choice === 'y' || choice === 'yes') return { approved: true }
    if (choice === 'a' || choice === 'always') return { approved: true, always: true }
    if (choice === 'n' || choice === 'no') return deny(dialogue)
    const isChange = mayChange && (choice === 'e' || choice === 'edit')
    const changed = isChange ? await askInput(dialogue) : undefined
    if (changed !== undefined) return { approved: true, input: changed }
    if (!isChange) say(mayChange ? 'Type y, n, e or a.\n' : 'Type y, n or a.\n')
  }
}

const inputText = (input: Json) => inert(JSON.stringify(input, null, 2)).replaceAll(/^/gm, '  ')

async function deny({ ask }: Dialogue): Promise<Answer> {
  const reason = (await ask('Why not? (may be empty) > '))?.trim()
  return { approved: false, ...(reason && { reason }) }
}

async function askInput({ ask, say }: Dialogue): Promise<Json | undefined> {
  const text = await ask('The input to run with, as JSON on one line > ')
  if (text === null || text.trim() === '') return undefined
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    say(`That is no JSON: ${inert((error as Error).message)}.\n`)
    return undefined
  }
}
