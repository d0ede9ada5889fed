import { introductionIn } from '../../projections/model-after.ts'
import type { Chunk } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { PartKey } from '../engine.ts'
import { textOfJson } from '../text/text-of-json.ts'
import { textOfOutput } from '../text/text-of-output.ts'
import { textOfPrompt } from './prompts-and-titles.ts'

/** Reads the text of a part again from the entries that have it, the first to the last. */
export function readPart({ kind, thread, part }: PartKey, entries: readonly Entry[]): string {
  if (kind === 'title') return entries.map(titleIn).findLast(title => title !== null) ?? ''
  if (kind === 'prompt') return promptIn(entries[0], Number(part))
  const chunks = entries.flatMap(({ event }) =>
    chunksOf(event).flatMap(from => (from.thread === thread ? [from.chunk] : [])),
  )
  if (kind === 'answer') return joined(chunks, 'text', part)
  if (kind === 'thinking') return joined(chunks, 'reasoning', part)
  return chunks.map(chunk => textOfCall(chunk, kind, part)).findLast(text => text !== null) ?? ''
}

function titleIn({ event }: Entry): string | null {
  if (event.type === 'session-created' || event.type === 'session-renamed') return event.title
  return (
    chunksOf(event)
      .map(introductionIn)
      .findLast(named => named?.title)?.title ?? null
  )
}

function promptIn(entry: Entry | undefined, index: number): string {
  const part = entry?.event.type === 'interaction-started' ? entry.event.parts[index] : undefined
  return part === undefined ? '' : textOfPrompt(part)
}

/** A part may begin within an entry, after the end of another with the same id. */
function joined(chunks: readonly Chunk[], kind: 'text' | 'reasoning', part: string): string {
  let text = ''
  for (const chunk of chunks) {
    if (!('id' in chunk) || chunk.id !== part) continue
    if (chunk.type === `${kind}-start`) text = ''
    if (chunk.type === `${kind}-delta` && 'delta' in chunk) text += chunk.delta
  }
  return text
}

function textOfCall(chunk: Chunk, kind: 'tool-input' | 'tool-output', part: string): string | null {
  if (!('toolCallId' in chunk) || chunk.toolCallId !== part) return null
  if (kind === 'tool-input')
    return chunk.type === 'tool-input-available' || chunk.type === 'tool-input-error'
      ? textOfJson(chunk.input)
      : null
  if (chunk.type === 'tool-output-error' || chunk.type === 'tool-input-error') return chunk.errorText
  return chunk.type === 'tool-output-available' ? textOfOutput(chunk.output) : null
}
