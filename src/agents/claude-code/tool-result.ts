import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import type { Op } from '../kit/parts.ts'
import { callIn, isSpeaking } from '../kit/parts/look.ts'
import { objectsIn, listOf, textOf, fieldsOf, type Block, type Fields } from './messages.ts'
import { act, type Draft } from './state.ts'
import { endHelper, meetHelper } from './tasks.ts'
import { notePlan } from './todos.ts'

type Result = Extract<Block, { readonly type: 'result' }>

/** The result of a tool: what the model saw and, where Claude Code sends them, its fields. */
export function applyToolResult(draft: Draft, thread: Thread, result: Result, twin: Json | null): void {
  const { call, content, failed } = result
  const known = callIn(draft.state.parts, call)
  const facts = fieldsOf(twin ?? undefined)
  // It continues to work, and its call is soon dropped from the state.
  if (facts?.['status'] === 'async_launched' && textOf(facts['agentId']) !== null) meetHelper(draft, call, {})
  const op = failed
    ? ({ type: 'failure', call, error: errorOf(content) } as const)
    : ({ type: 'result', call, output: outputOf(content, twin) } as const)
  act(draft, [op], thread)
  // Late images are only in the output: an image by itself would begin an answer.
  if (isSpeaking(draft.state.parts, thread)) act(draft, picturesIn(content), thread)
  if (known && !failed) notePlan(draft, thread, known, content, facts)
  endHelper(draft, call, failed, facts)
}

/**
 * An output is what the model saw. Where Claude Code also sends fields (a patch, separate stdout and stderr), both
 * are kept: neither can be computed from the other.
 */
export function outputOf(content: Json, twin: Json | null): Json {
  const repeats = twin === null || JSON.stringify(twin) === JSON.stringify(content)
  return repeats ? content : { content, structured: withoutPicture(twin) }
}

/** An image is large, and the model saw the same one. */
function withoutPicture(twin: Json): Json {
  const fields = fieldsOf(twin)
  const file = fieldsOf(fields?.['file'])
  if (fields?.['type'] !== 'image' || file === null) return twin
  const { base64: _, ...rest } = file
  return { ...fields, file: rest }
}

function picturesIn(content: Json): readonly Op[] {
  return objectsIn(content).flatMap((block): readonly Op[] => {
    const source = fieldsOf(block['source'])
    const [mediaType, data] = [textOf(source?.['media_type']), textOf(source?.['data'])]
    if (block['type'] !== 'image' || mediaType === null || data === null) return []
    return [{ type: 'show', chunk: { type: 'file', url: `data:${mediaType};base64,${data}`, mediaType } }]
  })
}

/** The fields of a result are outside the message, so they are known only for a message with one result. */
export function twinOf(fields: Fields, results: number): Json | null {
  return results === 1 ? (fields['tool_use_result'] ?? null) : null
}

function errorOf(content: Json): string {
  if (typeof content === 'string') return content
  const texts = objectsIn(content).map(each => textOf(each['text']))
  const whole = texts.every(text => text !== null) && texts.length === listOf(content).length
  return whole && texts.length > 0 ? texts.join('\n') : JSON.stringify(content)
}
