import { between, trimEndOf } from '../protocol/linear-text.ts'
import type { PromptPart } from '../protocol/message.ts'
import { firstOf } from './shorten.ts'

const longestTitle = 80
/** Programs may add long texts before a person's own words; what follows may be a whole file. */
const longestRead = 100_000
const mostLines = 200

/** A title from a prompt: its first line with the person's own words, without Markdown; null when it has none. */
export function titleOf(parts: readonly PromptPart[]): string | null {
  const text = parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
  const typed = withoutWrappers(firstOf(text, longestRead))
  const lines = typed.split('\n', mostLines).map(each => each.trim())
  const line = ownLine(lines)
  if (line === undefined) return null
  const plain = plainText(line)
  return plain === '' ? null : cut(plain)
}

/** Whether a title is only a command, such as `/review 167` or `!make`, which says little about the session. */
export const isCommandTitle = (title: string): boolean => /^(!|\/[\w:-]+(\s|$))/.test(title)

/** The title after another prompt. A title that is only a command is replaced when a prompt says more. */
export function titleAfter(title: string | null, parts: readonly PromptPart[]): string | null {
  if (title !== null && !isCommandTitle(title)) return title
  const next = titleOf(parts)
  if (title === null || next === null) return title ?? next
  return !isCommandTitle(next) && saysMore(next) ? next : title
}

/** Whether a prompt has a subject. "Yes please" and "commit this" have none. */
const saysMore = (title: string): boolean =>
  title.endsWith('?') || title.split(' ').length > 3 || /[^\p{ASCII}]{6}/u.test(title)

/** Tags around a person's own words. All other tags with a name of two words are around the words of a program. */
const ownTags = new Set(['user_query', 'user-query', 'user_message', 'user-message', 'user_input'])

/** The text without what programs add to a person's prompt. A command is kept as a person types it. */
function withoutWrappers(text: string): string {
  const name = between(text, '<command-name>', '</command-name>')?.trim()
  if (name !== undefined && text.trimStart().startsWith('<command-')) {
    const given = between(text, '<command-args>', '</command-args>') ?? ''
    return `/${name.replace(/^\//, '')} ${given}`.trim()
  }
  const kept: string[] = []
  let from = 0
  for (const { index, 0: open, 1: tag = '' } of text.matchAll(/<([a-z]\w*[_-][\w-]{1,40})>/g)) {
    if (index < from) continue
    const end = text.indexOf(`</${tag}>`, index)
    kept.push(text.slice(from, index))
    // What was cut off has no closing tag.
    const inside = text.slice(index + open.length, end === -1 ? undefined : end)
    if (ownTags.has(tag)) kept.push(inside)
    from = end === -1 ? text.length : end + tag.length + 3
  }
  return [...kept, text.slice(from)].join('')
}

/** Lines that agents write in the place of a person, or that stand in for something that is not text. */
const notOwn = [
  /^\[(request interrupted|image|file|pasted)/i,
  /^(caveat: the messages below|base directory for this skill:|this session is being continued from)/i,
  /^# agents\.md instructions/i,
  /^continue from where you left off\.?$/i,
]
/** The words before a plan that is pasted. */
const announcesPlan =
  /^(please )?(implement|execute|follow|carry out)( the| this)?( following| attached)? plan\s*[:.]?$/i
const startsPlan = /^((implementation|design|feature|project) )?plan\s*[:–—-]\s*/i
/** Words that give the agent a role. They say nothing about its task. */
const givesRole = /^(you are|you're|act as|acting as|imagine you are) (a|an|the|my|our) /i

const isFence = (line: string) => /^(```|~~~)/.test(line)
const hasWords = (line: string) => /[\p{L}\p{N}]/u.test(line)

/** The first line that says what a prompt is about. */
function ownLine(lines: readonly string[]): string | undefined {
  const own: string[] = []
  let isCode = false
  for (const line of lines) {
    if (isFence(line)) isCode = !isCode
    else if (!isCode && hasWords(line) && !notOwn.some(each => each.test(line))) own.push(line)
  }
  const told = own.filter(line => !announcesPlan.test(plainText(line)))
  const task = told.map(withoutRole).find(line => line !== '')
  // A prompt with nothing else has these words as its title.
  return task ?? told[0] ?? own[0] ?? lines.find(hasWords)?.replace(/^\[.*\]$/, '')
}

/** A line without the sentence that gives the agent a role. */
function withoutRole(line: string): string {
  if (!givesRole.test(line)) return line
  const end = line.search(/[.!?](\s|$)/)
  return end === -1 ? '' : line.slice(end + 1).trim()
}

/** A line of Markdown as plain text. */
function plainText(line: string): string {
  const text = line
    .replace(/^(#{1,6}|>|[-*+]|\d{1,3}[.)]|[A-Z]\))\s+/, '')
    .replace(/^\[[ x]\]\s+/i, '')
    .replaceAll(/!?\[([^\][]{0,200})\]\([^()]{0,500}\)/g, '$1')
    .replaceAll(/\*\*|__|`/g, '')
    .replace(startsPlan, '')
  const linkless = text.replaceAll(/https?:\/\/\S+/g, ' ')
  const plain = (hasWords(linkless) ? linkless : text).replaceAll(/\s+/g, ' ').trim()
  return trimEndOf(plain, ':').trim()
}

/** At most as long as a title may be: whole sentences, or whole words with a mark. */
function cut(text: string): string {
  if (text.length <= longestTitle) return text
  const start = firstOf(text, longestTitle - 1)
  const sentence = Math.max(start.lastIndexOf('. '), start.lastIndexOf('? '), start.lastIndexOf('! '))
  if (sentence > longestTitle / 3) return start.slice(0, start[sentence] === '.' ? sentence : sentence + 1)
  const word = start.lastIndexOf(' ')
  return `${trimEndOf(start.slice(0, word > longestTitle * 0.7 ? word : undefined).trimEnd(), ',')}…`
}
