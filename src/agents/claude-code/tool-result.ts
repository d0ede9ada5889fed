import type { Thread } from '../../protocol/chunk.ts'
import type { Json } from '../../protocol/json.ts'
import { callIn } from '../kit/parts/look.ts'
import { allWordsOf, listOf, textOf, wordsOf, type Block, type Words } from './messages.ts'
import { act, type Draft } from './state.ts'
import { endHelper } from './tasks.ts'
import { notePlan } from './todos.ts'

type Result = Extract<Block, { readonly type: 'result' }>

/** What a tool gave: what the model saw of it and, where Claude Code tells, the same in fields. */
export function hearToolResult(draft: Draft, thread: Thread, result: Result, twin: Json | null): void {
  const { call, content, failed } = result
  const known = callIn(draft.state.parts, call)
  const op = failed
    ? ({ type: 'failure', call, error: errorOf(content) } as const)
    : ({ type: 'result', call, output: outputOf(content, twin) } as const)
  act(draft, [op], thread)
  if (known && !failed) notePlan(draft, thread, known, content, wordsOf(twin ?? undefined))
  endHelper(draft, call, failed, wordsOf(twin ?? undefined))
}

/**
 * An output is what the model saw. Where Claude Code also gives it in fields (a patch, stdout and stderr apart), both are
 * kept: neither can be made from the other.
 */
export function outputOf(content: Json, twin: Json | null): Json {
  const repeats = twin === null || JSON.stringify(twin) === JSON.stringify(content)
  return repeats ? content : { content, structured: twin }
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
