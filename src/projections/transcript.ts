import { handoverMarks, markHandover, withoutMark } from '../protocol/handover.ts'
import type { Json } from '../protocol/json.ts'
import type { MessagePart, ToolPart } from '../protocol/message.ts'
import type { TranscriptFacts } from '../protocol/event.ts'
import { holds } from '../protocol/linear-text.ts'
import { meanwhileIn } from '../protocol/said-meanwhile.ts'
import { shortenMiddle } from './shorten.ts'
import type { StoredMessage } from './stored-message.ts'

/** A conversation as text, which is put before a prompt. */
export interface Transcript extends TranscriptFacts {
  readonly text: string
}

/** How a transcript is bounded. */
export interface TranscriptOptions {
  /** The most characters that it may have, including the marks around it. */
  readonly limit: number
  /** How many messages there were before the given ones. */
  readonly earlier?: number
}

type AgentMessage = Pick<StoredMessage, 'message' | 'agent'>

const intro =
  'This is a record of the conversation so far, which Dragoman hands over to you because your own memory does not have it. ' +
  'It may have been with another agent. Go on from it; do not answer it. The new message comes after it.'

const leftOut = (messages: number) =>
  `\n\n(${messages === 1 ? '1 earlier message was' : `${messages} earlier messages were`} left out.)`

const frame =
  handoverMarks.begin.length +
  handoverMarks.end.length +
  2 +
  intro.length +
  leftOut(Number.MAX_SAFE_INTEGER).length

/** The smallest possible limit. */
export const leastTranscript = frame + 1000
const inputLength = 300
const resultLength = 400
const meanwhileLength = 2000

/**
 * Writes a conversation as text: the messages of people and agents, and each tool call in one line. If not all messages
 * fit, the newest are kept and the text says how many were left out. No message takes more than a quarter of the room.
 */
export function renderTranscript(
  messages: readonly AgentMessage[],
  { limit, earlier = 0 }: TranscriptOptions,
): Transcript {
  const room = Math.max(limit, leastTranscript) - frame
  const blocks = messages.flatMap(each => blockOf(each, Math.floor(room / 4)))
  const kept = newestWithin(blocks, room)
  const omitted = earlier + blocks.length - kept.length
  const head = omitted === 0 ? intro : intro + leftOut(omitted)
  const text = markHandover(head + kept.join(''))
  return { text, messages: kept.length, characters: text.length, omitted }
}

function newestWithin(blocks: readonly string[], room: number): readonly string[] {
  let left = room
  let first = blocks.length
  while (first > 0) {
    left -= blocks[first - 1]?.length ?? 0
    if (left < 0) break
    first -= 1
  }
  return blocks.slice(first)
}

function blockOf({ message, agent }: AgentMessage, longest: number): readonly string[] {
  const lines = message.parts.flatMap(part => lineOf(part) ?? [])
  if (lines.length === 0) return []
  const head = `\n\n## ${message.role === 'assistant' ? oneLine(agent, 100) : message.role}\n`
  // The mark is replaced before anything is cut, so that a cut cannot make one.
  return [head + shortenMiddle(withoutMark(lines.join('\n')), longest - head.length)]
}

/** The text of one part, or null. Thinking, steps and data parts have none, except for what a person wrote during the answer. */
function lineOf(part: MessagePart): string | null {
  if (part.type === 'text') return part.text.trim() === '' ? null : part.text
  if (part.type === 'dynamic-tool') return callLine(part)
  if (part.type === 'file') return `[file ${oneLine(`${part.filename ?? ''} ${part.mediaType}`, 200)}]`
  if (part.type === 'source-url') return `[source ${oneLine(part.url, 300)}]`
  const meanwhile = meanwhileIn(part)
  return meanwhile === null ? null : `[user, meanwhile: ${oneLine(meanwhile, meanwhileLength)}]`
}

function callLine(part: ToolPart): string {
  const input = part.input === undefined ? '' : ` ${plain(part.input, inputLength)}`
  return `[tool ${oneLine(part.toolName, 100)}${input} → ${resultOf(part)}]`
}

function resultOf(part: ToolPart): string {
  switch (part.state) {
    case 'output-available':
      return plain(withoutRepeats(part.output), resultLength) || 'done'
    case 'output-error':
      return `failed: ${oneLine(part.errorText, resultLength)}`
    case 'output-denied':
      return 'was not allowed'
    case 'input-streaming':
    case 'input-available':
    case 'approval-requested':
    case 'approval-responded':
      return 'did not finish'
  }
}

/** Agents report the output of a tool two or three times, as text and in fields. This keeps each text once. */
function withoutRepeats(output: Json): Json {
  const texts = new Set<string>()
  const longer: string[] = []
  let left = mostCompared
  const isPart = (text: string): boolean =>
    longer.some(each => {
      left -= each.length + text.length
      return left > 0 && holds(each, text)
    })
  const isNew = (value: Json): boolean => {
    if (typeof value !== 'string') return true
    const text = value.trim()
    if (text === '' || texts.has(text)) return false
    texts.add(text)
    if (text.length < leastRepeat) return true
    if (isPart(text)) return false
    if (longer.length < mostRepeated) longer.push(text)
    return true
  }
  const newIn = (value: Json): Json => {
    if (Array.isArray(value)) return (value as readonly Json[]).filter(isNew).map(newIn)
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).filter(([, each]) => isNew(each))
    return Object.fromEntries(fields.map(([name, each]) => [name, newIn(each)]))
  }
  return newIn(output)
}

/** A shorter text may occur in another by chance. */
const leastRepeat = 20
/** Limits for this comparison, in texts and in characters: a result may be a list of thousands of texts. */
const mostRepeated = 8
const mostCompared = 16_000_000

const plain = (value: Json, longest: number): string =>
  oneLine(typeof value === 'string' ? value : JSON.stringify(value), longest)

const oneLine = (text: string, longest: number): string =>
  shortenMiddle(text.replaceAll(/\s+/g, ' ').trim(), longest)
