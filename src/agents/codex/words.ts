import type { ProviderMetadata } from '../../protocol/chunk.ts'
import type { Op } from '../kit/parts.ts'
import { listOf, numberOf, textOf, without, type Fields } from '../kit/fields.ts'
import { perform } from '../kit/telling.ts'
import { changeThread, nativeThread, type State, type Step } from './state.ts'

/** The pieces that an item of words consists of: their names, their kind, and the whole of each. */
interface Pieces {
  readonly kind: 'text' | 'thinking'
  readonly pieces: readonly { readonly key: string; readonly text: string }[]
}

/** The pieces of an item; null for one that is no words. */
export function piecesOf(item: Fields): Pieces | null {
  const id = textOf(item, 'id')
  const type = textOf(item, 'type')
  if (type === 'agentMessage' || type === 'plan')
    return { kind: 'text', pieces: [{ key: id, text: textOf(item, 'text') }] }
  if (type === 'exitedReviewMode')
    return { kind: 'text', pieces: [{ key: id, text: textOf(item, 'review') }] }
  if (type !== 'reasoning') return null
  const list = (name: 'summary' | 'content') =>
    listOf(item, name).map((text, index) => ({
      key: pieceOfThinking(id, name, index),
      text: typeof text === 'string' ? text : '',
    }))
  return { kind: 'thinking', pieces: [...list('summary'), ...list('content')] }
}

const pieceOfThinking = (id: string, list: 'summary' | 'content', index: number) => `${id} ${list} ${index}`

/** More text. Deltas outside of a turn add nothing: the item itself tells the whole. */
export function textDelta(state: State, params: Fields): Step {
  return say(state, params, 'text', textOf(params, 'itemId'))
}

/** More of a summary of thinking. */
export function summaryDelta(state: State, params: Fields): Step {
  const index = numberOf(params, 'summaryIndex')
  return say(state, params, 'thinking', pieceOfThinking(textOf(params, 'itemId'), 'summary', index))
}

/** More of the thinking itself. */
export function thinkingDelta(state: State, params: Fields): Step {
  const index = numberOf(params, 'contentIndex')
  return say(state, params, 'thinking', pieceOfThinking(textOf(params, 'itemId'), 'content', index))
}

function say(state: State, params: Fields, type: 'text' | 'thinking', key: string): Step {
  const threadId = textOf(params, 'threadId')
  const native = nativeThread(state, threadId)
  if (!native.running) return [state, []]
  const known = native.words.includes(key)
  const before = known ? state : changeThread(state, threadId, { words: [...native.words, key] })
  return perform(before, native, [{ type, key, delta: textOf(params, 'delta') }])
}

/** A new part of a summary: the one before is complete. */
export function summaryPart(state: State, params: Fields): Step {
  const index = numberOf(params, 'summaryIndex')
  const native = nativeThread(state, textOf(params, 'threadId'))
  if (index === 0 || !native.running) return [state, []]
  const key = pieceOfThinking(textOf(params, 'itemId'), 'summary', index - 1)
  return perform(state, native, [{ type: 'end', key }])
}

/** An item of words is complete: it says what was streamed once more, and counts. */
export function settleWords(state: State, threadId: string, item: Fields, { kind, pieces }: Pieces): Step {
  const native = nativeThread(state, threadId)
  const id = textOf(item, 'id')
  const words = native.words.filter(key => key !== id && !key.startsWith(`${id} `))
  const providerMetadata = metadataOf(item)
  const ops = pieces.map(({ key, text }): Op => ({
    type: 'final',
    kind,
    key,
    text,
    ...(providerMetadata && { providerMetadata }),
  }))
  return perform(changeThread(state, threadId, { words }), native, ops)
}

const said = new Set(['id', 'text', 'review', 'summary', 'content', 'startedAtMs', 'completedAtMs'])

/** What else is known of words: their phase, what they cite, which questions they ask. */
function metadataOf(item: Fields): ProviderMetadata | undefined {
  const { type = '', ...more } = without(item, said)
  const isPlain = type === 'agentMessage' || type === 'reasoning'
  if (isPlain && Object.keys(more).length === 0) return undefined
  return { codex: isPlain ? more : { type, ...more } }
}

/** Takes back the words that a broken stream cut off: the next try says them anew. */
export function retractWords(state: State, threadId: string): Step {
  const native = nativeThread(state, threadId)
  if (native.words.length === 0) return [state, []]
  return perform(changeThread(state, threadId, { words: [] }), native, [
    { type: 'retract', keys: native.words },
  ])
}
