import type { Chunk } from '../protocol/chunk.ts'
import { replacePart, type MessageDraft } from './message-draft.ts'
import { sameJson } from './same-json.ts'

/** Decides which chunks of a draft are new: an agent may repeat a message that it reopens. */
export type FilterRepeats = (draft: MessageDraft, from?: PausedRepeat) => RepeatFilter

/** Lets only the new chunks of a message through. */
export interface RepeatFilter {
  /** The chunks to add to the draft for this one. */
  pass(chunk: Chunk): readonly Chunk[]
  /** What another filter needs to continue; null while nothing is repeated. */
  paused?(): PausedRepeat | null
}

/** A filter in the middle of a repetition, as plain data. */
export interface PausedRepeat {
  readonly mode: 'unsure' | 'again'
  readonly held: readonly Chunk[]
  readonly step: Chunk | null
  readonly echoes: readonly (readonly [key: string, text: string])[]
  readonly fresh: readonly string[]
}

interface State {
  /** `unsure` from the reopening until a chunk shows whether the message continues or is repeated. */
  mode: 'new' | 'unsure' | 'again'
  /** The chunks that arrived while unsure. */
  held: Chunk[]
  /** A step that the message may have already. */
  step: Chunk | null
  /** Repeated text, by kind and id. */
  readonly echoes: Map<string, string>
  /** Calls that only the repetition has. */
  readonly fresh: Set<string>
}

type TextChunk = Extract<Chunk, { readonly type: `text-${string}` | `reasoning-${string}` }>
type InputChunk = Extract<Chunk, { readonly type: `tool-input-${string}` }>
type ResultChunk = Extract<Chunk, { readonly type: `tool-output-${string}` | 'tool-approval-request' }>

/**
 * Filters the chunks of one draft, from its beginning or from where another filter paused. Some agents repeat old messages
 * when they are resumed. A reopened message may continue (a late result) or be repeated; of a repetition, only new chunks pass.
 */
export function createRepeatFilter(draft: MessageDraft, from?: PausedRepeat): RepeatFilter {
  const state: State = {
    mode: from?.mode ?? 'new',
    held: [...(from?.held ?? [])],
    step: from?.step ?? null,
    echoes: new Map(from?.echoes),
    fresh: new Set(from?.fresh),
  }
  return {
    paused: () => pause(state),
    pass(chunk) {
      if (chunk.type === 'start') reopen(state, chunk.messageId === draft.id)
      else if (state.mode === 'unsure') return decide(state, draft, chunk)
      else if (state.mode === 'again') return passAgain(state, draft, chunk)
      return [chunk]
    },
  }
}

function pause({ mode, held, step, echoes, fresh }: State): PausedRepeat | null {
  if (mode === 'new') return null
  return { mode, held: [...held], step, echoes: [...echoes], fresh: [...fresh] }
}

function reopen(state: State, known: boolean): void {
  state.mode = known ? 'unsure' : 'new'
  state.held = []
  state.step = null
  state.echoes.clear()
  state.fresh.clear()
}

function decide(state: State, draft: MessageDraft, chunk: Chunk): readonly Chunk[] {
  if (chunk.type === 'message-metadata' || changesKnownData(draft, chunk)) return [chunk]
  if (isWhole(chunk) || chunk.type === 'start-step' || chunk.type === 'finish-step') {
    state.held.push(chunk)
    return []
  }
  const { held } = state
  state.held = []
  if (!repeats(draft, chunk)) {
    state.mode = 'new'
    return [...held, chunk]
  }
  state.mode = 'again'
  return [...held, chunk].flatMap(each => passAgain(state, draft, each))
}

/** Whether a chunk begins a part that the message already has. */
function repeats(draft: MessageDraft, chunk: Chunk): boolean {
  if (chunk.type === 'text-start') return draft.texts.has(chunk.id)
  if (chunk.type === 'reasoning-start') return draft.reasonings.has(chunk.id)
  return isInput(chunk) && draft.calls.has(chunk.toolCallId)
}

function passAgain(state: State, draft: MessageDraft, chunk: Chunk): readonly Chunk[] {
  if (isText(chunk)) return passText(state, draft, chunk)
  if (isInput(chunk)) return passInput(state, draft, chunk)
  if (chunk.type === 'start-step' || chunk.type === 'finish-step') {
    state.step = chunk.type === 'start-step' ? chunk : null
    return []
  }
  if (isResult(chunk)) return state.fresh.has(chunk.toolCallId) || isNewResult(draft, chunk) ? [chunk] : []
  if (!isWhole(chunk) || changesKnownData(draft, chunk)) return [chunk]
  return draft.parts.some(part => part.type === chunk.type && sameJson(part, chunk))
    ? []
    : added(state, chunk)
}

/** A new part may need the step that was held back. */
function added(state: State, chunk: Chunk): readonly Chunk[] {
  const { step } = state
  state.step = null
  return step === null ? [chunk] : [step, chunk]
}

function passText(state: State, draft: MessageDraft, chunk: TextChunk): readonly Chunk[] {
  const kind = chunk.type.startsWith('text') ? 'text' : 'reasoning'
  const key = `${kind} ${chunk.id}`
  if (chunk.type === 'text-start' || chunk.type === 'reasoning-start') {
    if (!repeats(draft, chunk)) return added(state, chunk)
    state.step = null
    state.echoes.set(key, '')
    return []
  }
  const echo = state.echoes.get(key)
  if (echo === undefined) return [chunk]
  if ('delta' in chunk) state.echoes.set(key, echo + chunk.delta)
  else return repeatedText(draft, kind, chunk.id, echo)
  return []
}

/** The same text adds nothing; a longer version replaces text that was cut off; other text becomes a new part. */
function repeatedText(
  draft: MessageDraft,
  kind: 'text' | 'reasoning',
  id: string,
  text: string,
): readonly Chunk[] {
  const index = (kind === 'text' ? draft.texts : draft.reasonings).get(id) ?? -1
  const part = draft.parts[index]
  if (part?.type !== kind || part.text === text) return []
  if (!text.startsWith(part.text))
    return [
      { type: `${kind}-start`, id },
      { type: `${kind}-delta`, id, delta: text },
      { type: `${kind}-end`, id },
    ]
  replacePart(draft, index, { ...part, text })
  return []
}

function passInput(state: State, draft: MessageDraft, chunk: InputChunk): readonly Chunk[] {
  const { toolCallId } = chunk
  if (state.fresh.has(toolCallId)) return [chunk]
  if (draft.calls.has(toolCallId)) {
    const corrects = state.step === null && changesInput(draft, chunk)
    state.step = null
    return corrects ? [chunk] : []
  }
  state.fresh.add(toolCallId)
  return added(state, chunk)
}

/** Whether a call that has not ended gets another input, in the step in which it began. */
function changesInput(draft: MessageDraft, chunk: InputChunk): boolean {
  const index = draft.calls.get(chunk.toolCallId) ?? -1
  const part = draft.parts[index]
  if (chunk.type !== 'tool-input-available' || index <= draft.step || part?.type !== 'dynamic-tool')
    return false
  return part.state.startsWith('input-') && !sameJson(part.input, chunk.input)
}

/** Whether a result or an approval request is not yet in its part. */
function isNewResult(draft: MessageDraft, chunk: ResultChunk): boolean {
  const part = draft.parts[draft.calls.get(chunk.toolCallId) ?? -1]
  if (part?.type !== 'dynamic-tool') return false
  const whole = part.state === 'output-available' && part.preliminary !== true
  if (chunk.type === 'tool-approval-request') return part.state === 'input-available'
  if (chunk.type === 'tool-output-denied') return part.state !== 'output-denied'
  if (chunk.type === 'tool-output-error')
    return part.state !== 'output-error' || part.errorText !== chunk.errorText
  if (chunk.preliminary === true) return !part.state.startsWith('output-')
  return !whole || !sameJson(part.output, chunk.output)
}

const isText = (chunk: Chunk): chunk is TextChunk => /^(text|reasoning)-/.test(chunk.type)
const isResult = (chunk: Chunk): chunk is ResultChunk =>
  chunk.type.startsWith('tool-output-') || chunk.type === 'tool-approval-request'
const isInput = (chunk: Chunk): chunk is InputChunk => chunk.type.startsWith('tool-input-')

/** A part that comes in one chunk. */
const isWhole = (chunk: Chunk): boolean =>
  chunk.type === 'file' || chunk.type.startsWith('source-') || chunk.type.startsWith('data-')

const changesKnownData = (draft: MessageDraft, chunk: Chunk): boolean =>
  chunk.type.startsWith('data-') && 'id' in chunk && draft.data.has(`${chunk.type} ${chunk.id}`)
