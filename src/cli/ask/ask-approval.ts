import type { Json } from '../../protocol/json.ts'
import { inert } from '../terminal/inert.ts'
import type { Answer, Asked, Dialogue } from './dialogue.ts'

const choices = 'y allow · n deny · e change the input · a always allow > '

/** Asks whether a tool may run. The tool and its input are shown in full: nobody can allow what they cannot see. */
export async function askApproval(dialogue: Dialogue, { tool, input }: Asked): Promise<Answer | null> {
  const { say, ask, style } = dialogue
  say(`${style.yellow(`${inert(tool)} would run with this input:`)}\n${inputText(input)}\n`)
  for (;;) {
    const choice = await ask(choices)
    switch (choice?.trim().toLowerCase()) {
      case undefined:
        return null
      case 'y':
      case 'yes':
        return { approved: true }
      case 'a':
      case 'always':
        return { approved: true, always: true }
      case 'n':
      case 'no':
        return deny(dialogue)
      case 'e':
      case 'edit': {
        const changed = await askInput(dialogue)
        if (changed !== undefined) return { approved: true, input: changed }
        break
      }
      default:
        say('Type y, n, e or a.\n')
    }
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
