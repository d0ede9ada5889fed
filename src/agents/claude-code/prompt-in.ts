import type { PromptId } from '../../protocol/ids.ts'
import { between } from '../../protocol/linear-text.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { TranscriptPrompt } from '../importer.ts'
import { allWordsOf, blocksOf, textOf, wordsOf, type Words } from './messages.ts'
import { interrupted } from './user.ts'

/** What a person asked with a line of a transcript; null when it is the model's, a tool's, or Claude Code's own. */
export function promptIn(words: Words): TranscriptPrompt | null {
  const id = textOf(words['uuid'])
  if (id === null || !isPersons(words)) return null
  if (words['type'] !== 'user' && !isOwnCommand(words)) return null
  const content = words['content'] ?? wordsOf(words['message'])?.['content']
  if (blocksOf(content).some(({ type }) => type === 'result')) return null
  const parts = typeof content === 'string' ? textPart(content) : allWordsOf(content).flatMap(partOf)
  if (!parts.some(part => part.type !== 'text' || isPersonsText(part.text))) return null
  return { id: id as PromptId, parts }
}

/** Whether a line tells of a command of Claude Code's own that a person gave; what it printed is a line like it. */
const isOwnCommand = (words: Words): boolean =>
  words['subtype'] === 'local_command' && isCommand(textOf(words['content']) ?? '')

/** Whether a line that stands where a person's do is not marked as somebody else's. */
export function isPersons(words: Words): boolean {
  const marks = ['isSidechain', 'isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly']
  if (marks.some(mark => words[mark] === true)) return false
  const origin = textOf(wordsOf(words['origin'])?.['kind'])
  return origin === null || origin === 'human'
}

/** What Claude Code says to the model in a person's place, or prints for a person. */
const noise = /^<(local-command|bash-std|task-notification|system-reminder|user-prompt-submit-hook)/

/** Whether words that stand where a person's do are a person's. */
export const isPersonsText = (text: string): boolean => !interrupted.has(text) && !noise.test(text.trim())

function partOf(block: Words): readonly PromptPart[] {
  const source = wordsOf(block['source'])
  const [mediaType, data] = [textOf(source?.['media_type']), textOf(source?.['data'])]
  if (mediaType !== null && data !== null)
    return [{ type: 'file', mediaType, url: `data:${mediaType};base64,${data}` }]
  return textPart(textOf(block['text']) ?? '')
}

function textPart(text: string): readonly PromptPart[] {
  return text === '' ? [] : [{ type: 'text', text: asTyped(text) }]
}

/** A command is kept between marks, with its arguments apart; a person typed it in one. */
export function asTyped(text: string): string {
  const shell = /^<bash-input>([\s\S]*)<\/bash-input>$/.exec(text.trim())
  if (shell) return `!${shell[1] ?? ''}`
  if (!isCommand(text)) return text
  const name = between(text, '<command-name>', '</command-name>')
  const given = between(text, '<command-args>', '</command-args>') ?? ''
  return name === undefined ? text : `${name} ${given}`.trim()
}

const isCommand = (text: string): boolean => /^\s*<command-(name|message)>/.test(text)
