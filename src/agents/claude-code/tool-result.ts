import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import type { Op } from '../kit/parts.ts'
import { callIn, isSpeaking } from '../kit/parts/look.ts'
import { allWordsOf, listOf, textOf, wordsOf, type Block, type Words } from './messages.ts'
import { act, type Draft } from './state.ts'
import { endHelper, meetHelper } from './tasks.ts'
import { notePlan } from './todos.ts'

type Result = Extract<Block, { readonly type: 'result' }>

/** What a tool gave: what the model saw of it and, where Claude Code tells, the same in fields. */
export function hearToolResult(draft: Draft, thread: Thread, result: Result, twin: Json | null): void {
  const { call, content, failed } = result
  const known = callIn(draft.state.parts, call)
  const facts = wordsOf(twin ?? undefined)
  // It works on, and its call will soon be forgotten.
  if (facts?.['status'] === 'async_launched' && textOf(facts['agentId']) !== null) meetHelper(draft, call, {})
  const op = failed
    ? ({ type: 'failure', call, error: errorOf(content) } as const)
    : ({ type: 'result', call, output: outputOf(content, twin) } as const)
  act(draft, [op], thread)
  // Late ones are only in the output: a picture by itself would begin an answer.
  if (isSpeaking(draft.state.parts, thread)) act(draft, picturesIn(content), thread)
  if (known && !failed) notePlan(draft, thread, known, content, facts)
  endHelper(draft, call, failed, facts)
}

/**
 * An output is what the model saw. Where Claude Code also gives it in fields (a patch, stdout and stderr apart), both are
 * kept: neither can be made from the other.
 */
export function outputOf(content: Json, twin: Json | null): Json {
  const repeats = twin === null || JSON.stringify(twin) === JSON.stringify(content)
  return repeats ? content : { content, structured: withoutPicture(twin) }
}

/** A picture is large, and the model saw the same. */
function withoutPicture(twin: Json): Json {
  const fields = wordsOf(twin)
  const file = wordsOf(fields?.['file'])
  if (fields?.['type'] !== 'image' || file === null) return twin
  const { base64: _, ...rest } = file
  return { ...fields, file: rest }
}

function picturesIn(content: Json): readonly Op[] {
  return allWordsOf(content).flatMap((block): readonly Op[] => {
    const source = wordsOf(block['source'])
    const [mediaType, data] = [textOf(source?.['media_type']), textOf(source?.['data'])]
    if (block['type'] !== 'image' || mediaType === null || data === null) return []
    return [{ type: 'show', chunk: { type: 'file', url: `data:${mediaType};base64,${data}`, mediaType } }]
  })
}

/** The twin of a result is told beside the message, so it is known only for a message of one result. */
export function twinOf(words: Words, results: number): Json | null {
  return results === 1 ? (words['tool_use_result'] ?? null) : null
}

function errorOf(content: Json): string {
  if (typeof content === 'string') return content
  const texts = allWordsOf(content).map(each => textOf(each['text']))
  const whole = texts.every(text => text !== null) && texts.length === listOf(content).length
  return whole && texts.length > 0 ? texts.join('\n') : JSON.stringify(content)
}
