import type { Json } from '../../protocol/json.ts'
import { explicit, inert } from '../terminal/inert.ts'
import type { Answer, Asked, Dialogue } from './dialogue.ts'

/** Asks whether a tool may run. The tool and its input are shown in full: you can only allow what you can see. */
export async function askApproval(dialogue: Dialogue, asked: Asked): Promise<Answer | null> {
  const { say, ask } = dialogue
  const choices = choicesFor(asked)
  say(questionText(dialogue, asked))
  for (;;) {
    const typed = await ask(`${choices.join(' · ')} > `)
    if (typed === null) return null
    const letter = letterOf(typed)
    const isOffered = choices.some(choice => choice.startsWith(`${letter} `))
    if (letter === 'n') return deny(dialogue, asked)
    if (letter === 'y') return { approved: true }
    if (letter === 'a' && isOffered) return { approved: true, always: true }
    const changed = letter === 'e' && isOffered ? await askInput(dialogue) : undefined
    if (changed !== undefined) return { approved: true, input: changed }
    if (!isOffered) say(`Type ${listed(choices.map(choice => choice.slice(0, 1)))}.\n`)
  }
}

/** The possible answers. Changing the input needs an agent that accepts it, and "always" needs a possible rule. */
const choicesFor = ({ mayChange, rule }: Asked): readonly string[] => [
  'y allow',
  'n deny',
  ...(mayChange ? ['e edit the input'] : []),
  ...(rule === null ? [] : ['a always allow']),
]

const words: Readonly<Record<string, string>> = { yes: 'y', no: 'n', edit: 'e', always: 'a' }

function letterOf(typed: string): string {
  const choice = typed.trim().toLowerCase()
  return Object.hasOwn(words, choice) ? (words[choice] ?? '') : choice
}

function questionText({ style }: Dialogue, asked: Asked): string {
  const { tool, input, earlierInput } = asked
  return [
    style.yellow(`Run ${explicit(tool)} with this input?`),
    inputText(input),
    ...(earlierInput === undefined
      ? []
      : [style.yellow('The agent first reported a different input:'), inputText(earlierInput)]),
    style.dim(reachText(asked)),
    '',
  ].join('\n')
}

/** What "always" covers, or why it is not offered. */
function reachText({ tool, rule, ruleReason }: Asked): string {
  if (rule === null) return inert(ruleReason ?? '')
  return `"Always allow" covers ${explicit(tool)} with exactly this input, in this session only.`
}

const listed = (letters: readonly string[]) => `${letters.slice(0, -1).join(', ')} or ${letters.at(-1) ?? ''}`

const inputText = (input: Json) => explicit(JSON.stringify(input, null, 2)).replaceAll(/^/gm, '  ')

async function deny({ ask, say }: Dialogue, { readsReasons }: Asked): Promise<Answer> {
  if (!readsReasons) say('This agent cannot receive a reason. It is only saved in the session.\n')
  const reason = (await ask('Reason for denying (optional) > '))?.trim()
  return { approved: false, ...(reason && { reason }) }
}

async function askInput({ ask, say }: Dialogue): Promise<Json | undefined> {
  const text = await ask('New input, as JSON on one line > ')
  if (text === null || text.trim() === '') return undefined
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    say(`Not valid JSON: ${inert((error as Error).message)}.\n`)
    return undefined
  }
}
