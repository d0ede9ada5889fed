import type { ProviderMetadata } from '../../protocol/chunk.ts'
import { apply, type Op } from '../kit/parts.ts'
import { listOf, numberOf, textOf, without, type Fields } from '../kit/fields.ts'
import { getIn } from '../kit/persistent-map.ts'
import { changeThread, nativeThread, type State, type Step } from './state.ts'

/** The pieces of text or thinking in an item, with their keys and complete texts. */
interface Pieces {
  readonly kind: 'text' | 'thinking'
  readonly pieces: readonly { readonly key: string; readonly text: string }[]
}

/** The pieces of an item; null if it is neither text nor thinking. */
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

/** More text. Deltas outside of a turn are ignored: the completed item has all the text. */
export function textDelta(state: State, params: Fields): Step {
  return addDelta(state, params, 'text', textOf(params, 'itemId'))
}

/** More of a summary of thinking. */
export function summaryDelta(state: State, params: Fields): Step {
  const index = numberOf(params, 'summaryIndex')
  return addDelta(state, params, 'thinking', pieceOfThinking(textOf(params, 'itemId'), 'summary', index))
}

/** More of the thinking itself. */
export function thinkingDelta(state: State, params: Fields): Step {
  const index = numberOf(params, 'contentIndex')
  return addDelta(state, params, 'thinking', pieceOfThinking(textOf(params, 'itemId'), 'content', index))
}

function addDelta(state: State, params: Fields, type: 'text' | 'thinking', key: string): Step {
  const threadId = textOf(params, 'threadId')
  const native = getIn(state.threads, threadId)
  if (native?.running !== true) return [state, []]
  const known = native.pieces.includes(key)
  const before = known ? state : changeThread(state, threadId, { pieces: [...native.pieces, key] })
  return apply(before, native, [{ type, key, delta: textOf(params, 'delta') }])
}

/** A new part of a summary: the one before is complete. */
export function summaryPart(state: State, params: Fields): Step {
  const index = numberOf(params, 'summaryIndex')
  const native = nativeThread(state, textOf(params, 'threadId'))
  if (index === 0 || !native.running) return [state, []]
  const key = pieceOfThinking(textOf(params, 'itemId'), 'summary', index - 1)
  return apply(state, native, [{ type: 'end', key }])
}

/** An item of text or thinking is complete. It repeats the streamed text, and its version is final. */
export function settleWords(state: State, threadId: string, item: Fields, { kind, pieces }: Pieces): Step {
  const native = nativeThread(state, threadId)
  const id = textOf(item, 'id')
  const open = native.pieces.filter(key => key !== id && !key.startsWith(`${id} `))
  const providerMetadata = metadataOf(item)
  const ops = pieces.map(({ key, text }): Op => ({
    type: 'final',
    kind,
    key,
    text,
    ...(providerMetadata && { providerMetadata }),
  }))
  return apply(changeThread(state, threadId, { pieces: open }), native, ops)
}

const textFields = new Set(['id', 'text', 'review', 'summary', 'content', 'startedAtMs', 'completedAtMs'])

/** Other facts about an item of text: its phase, its citations, its questions. */
function metadataOf(item: Fields): ProviderMetadata | undefined {
  const { type = '', ...more } = without(item, textFields)
  const isPlain = type === 'agentMessage' || type === 'reasoning'
  if (isPlain && Object.keys(more).length === 0) return undefined
  return { codex: isPlain ? more : { type, ...more } }
}

/** Retracts the incomplete text of a broken stream: the retry sends it again. */
export function retractWords(state: State, threadId: string): Step {
  const native = nativeThread(state, threadId)
  if (native.pieces.length === 0) return [state, []]
  return apply(changeThread(state, threadId, { pieces: [] }), native, [
    { type: 'retract', keys: native.pieces },
  ])
}
