import type { PromptId } from '../../protocol/ids.ts'
import { between } from '../../protocol/linear-text.ts'
import type { PromptPart } from '../../protocol/message.ts'
import type { TranscriptPrompt } from '../importer.ts'
import { objectsIn, blocksOf, textOf, fieldsOf, type Fields } from './messages.ts'
import { interrupted } from './user.ts'

/** A person's prompt in a line of a transcript; null when the line is the model's, a tool's, or Claude Code's own. */
export function promptIn(fields: Fields): TranscriptPrompt | null {
  const id = textOf(fields['uuid'])
  if (id === null || !isPersons(fields)) return null
  if (fields['type'] !== 'user' && !isOwnCommand(fields)) return null
  const content = fields['content'] ?? fieldsOf(fields['message'])?.['content']
  if (blocksOf(content).some(({ type }) => type === 'result')) return null
  const parts = typeof content === 'string' ? textPart(content) : objectsIn(content).flatMap(partOf)
  if (!parts.some(part => part.type !== 'text' || isPersonsText(part.text))) return null
  return { id: id as PromptId, parts }
}

/** Whether a line is a command to Claude Code that a person gave; its output is a line like it. */
const isOwnCommand = (fields: Fields): boolean =>
  fields['subtype'] === 'local_command' && isCommand(textOf(fields['content']) ?? '')

/** Whether a line in the place of a person's message is not marked otherwise. */
export function isPersons(fields: Fields): boolean {
  const marks = ['isSidechain', 'isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly']
  if (marks.some(mark => fields[mark] === true)) return false
  const origin = textOf(fieldsOf(fields['origin'])?.['kind'])
  return origin === null || origin === 'human'
}

/** What Claude Code sends to the model as a person's message, or prints for a person. */
const noise = /^<(local-command|bash-std|task-notification|system-reminder|user-prompt-submit-hook)/

/** Whether the text in the place of a person's message is a person's. */
export const isPersonsText = (text: string): boolean => !interrupted.has(text) && !noise.test(text.trim())

function partOf(block: Fields): readonly PromptPart[] {
  const source = fieldsOf(block['source'])
  const [mediaType, data] = [textOf(source?.['media_type']), textOf(source?.['data'])]
  if (mediaType !== null && data !== null)
    return [{ type: 'file', mediaType, url: `data:${mediaType};base64,${data}` }]
  return textPart(textOf(block['text']) ?? '')
}

function textPart(text: string): readonly PromptPart[] {
  return text === '' ? [] : [{ type: 'text', text: asTyped(text) }]
}

/** A command is kept between tags, with separate arguments; a person typed it as one line. */
export function asTyped(text: string): string {
  const shell = /^<bash-input>([\s\S]*)<\/bash-input>$/.exec(text.trim())
  if (shell) return `!${shell[1] ?? ''}`
  if (!isCommand(text)) return text
  const name = between(text, '<command-name>', '</command-name>')
  const given = between(text, '<command-args>', '</command-args>') ?? ''
  return name === undefined ? text : `${name} ${given}`.trim()
}

const isCommand = (text: string): boolean => /^\s*<command-(name|message)>/.test(text)
