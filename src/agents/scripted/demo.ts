import type { Step } from './script.ts'
import { basics, endings, questions } from './scenes/basics.ts'
import { commands } from './scenes/commands.ts'
import { edits } from './scenes/edits.ts'
import { markdown } from './scenes/markdown.ts'
import { compaction, warning } from './scenes/marks.ts'
import { minute } from './scenes/minute.ts'
import { say } from './scenes/saying.ts'
import { readingTwice, searches } from './scenes/searches.ts'

/** The facts about a prompt that the demo uses. */
export interface DemoPrompt {
  readonly text: string
  readonly files: number
  /** Whether this is the first prompt of a resumed session. */
  readonly resumed: boolean
}

/** What the demo can show, by phrase. */
const features: Readonly<Record<string, readonly Step[]>> = {
  ...basics,
  markdown,
  edits,
  'a command': commands,
  'a search': searches,
  'reading twice': readingTwice,
  'a compaction': compaction,
  'a warning': warning,
}

const longAnswer = 'a long answer'
const everything = 'everything'
/** How the web app starts its demo. The list of phrases, which recordings have, is older. */
const wholeDemo = 'show me the demo'
const phrases = [everything, longAnswer, ...Object.keys({ ...features, ...questions, ...endings })]

/** The answer of the demo to a prompt: everything that it names, or a list of the phrases. */
export function demoSteps({ text, files, resumed }: DemoPrompt): readonly Step[] {
  const asked = text.toLowerCase()
  if (asked.includes(wholeDemo)) return minute
  const named = (table: Readonly<Record<string, readonly Step[]>>) =>
    Object.entries(table).flatMap(([phrase, steps]) => (asked.includes(phrase) ? steps : []))
  const steps = [
    ...(asked.includes(everything) ? allPeaceful() : named(features)),
    ...named(questions),
    ...(asked.includes(longAnswer) ? [say(longText())] : []),
    ...named(endings),
  ]
  return steps.length > 0 ? steps : [say(welcome(text, files, resumed))]
}

function allPeaceful(): readonly Step[] {
  return [
    say('Here is everything that I can show. '),
    ...Object.values(features).flat().map(quicker),
    say('That was everything.'),
  ]
}

/** There is much to show, so it takes half the time, and changes are visible only for a moment. */
const quicker = (step: Step): Step => ({
  ...step,
  ...(step.delay !== undefined && { delay: step.delay / 4 }),
  ...('every' in step && step.every !== undefined && { every: step.every / 2 }),
  ...('stands' in step && step.stands !== undefined && { stands: step.stands / 4 }),
})

function welcome(text: string, files: number, resumed: boolean): string {
  const quoted = text.trim().replaceAll(/\s+/g, ' ')
  const short = quoted.length > 200 ? `${quoted.slice(0, 200)}…` : quoted
  const attached = files === 0 ? '' : files === 1 ? ' and one file' : ` and ${files} files`
  return [
    resumed ? 'Welcome back! ' : 'Hello! ',
    `I am a scripted agent: I need no key and no network. I understood “${short}”${attached}. `,
    `Ask me for ${phrases.map(phrase => `**${phrase}**`).join(', ')}.`,
  ].join('')
}

const longSentence =
  'A long answer takes its time. You can watch it, reload the page, open a second window, or stop it. '

function longText(): string {
  return Array.from({ length: 16 }, (_, at) => `${at + 1}. ${longSentence}\n`).join('')
}
