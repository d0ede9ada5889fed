import type { Chunk } from '../protocol/chunk.ts'
import { replacePart, type MessageDraft } from './message-draft.ts'
import { sameJson } from './same-json.ts'

/**
 * Some agents tell old messages again when they are resumed. A message that is opened again may go on (a late
 * result) or be told again; of one told again, only what is new is let through.
 */
export interface Retelling {
  /** The chunks to take into the draft for this one. */
  pass(chunk: Chunk): readonly Chunk[]
  /** What must be known to go on; null when nothing is being told again. */
  paused(): PausedRetelling | null
}

/** A retelling in the middle, as plain data. */
export interface PausedRetelling {
  readonly mode: 'unsure' | 'again'
  readonly held: readonly Chunk[]
  readonly step: Chunk | null
  readonly echoes: readonly (readonly [key: string, text: string])[]
  readonly fresh: readonly string[]
}

interface State {
  /** `unsure` from the re-opening until a chunk shows which of the two it is. */
  mode: 'new' | 'unsure' | 'again'
  /** What came while unsure. */
  held: Chunk[]
  /** A step that may turn out to be one we have. */
  step: Chunk | null
  /** Words being told again, by kind and id. */
  readonly echoes: Map<string, string>
  /** Calls that began in this telling. */
  readonly fresh: Set<string>
}

type WordsChunk = Extract<Chunk, { readonly type: `text-${string}` | `reasoning-${string}` }>
type InputChunk = Extract<Chunk, { readonly type: `tool-input-${string}` }>
type ResultChunk = Extract<Chunk, { readonly type: `tool-output-${string}` | 'tool-approval-request' }>

/** Watches over the chunks of one draft, from its beginning or from where another watch paused. */
export function createRetelling(draft: MessageDraft, from?: PausedRetelling): Retelling {
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

function pause({ mode, held, step, echoes, fresh }: State): PausedRetelling | null {
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

/** Whether a chunk begins a part that the message has had before. */
function repeats(draft: MessageDraft, chunk: Chunk): boolean {
  if (chunk.type === 'text-start') return draft.texts.has(chunk.id)
  if (chunk.type === 'reasoning-start') return draft.reasonings.has(chunk.id)
  return isInput(chunk) && draft.calls.has(chunk.toolCallId)
}

function passAgain(state: State, draft: MessageDraft, chunk: Chunk): readonly Chunk[] {
  if (isWords(chunk)) return passWords(state, draft, chunk)
  if (isInput(chunk)) return passInput(state, draft, chunk)
  if (chunk.type === 'start-step' || chunk.type === 'finish-step') {
    state.step = chunk.type === 'start-step' ? chunk : null
    return []
  }
  if (isResult(chunk)) return state.fresh.has(chunk.toolCallId) || saysMore(draft, chunk) ? [chunk] : []
  if (!isWhole(chunk) || changesKnownData(draft, chunk)) return [chunk]
  return draft.parts.some(part => part.type === chunk.type && sameJson(part, chunk))
    ? []
    : added(state, chunk)
}

/** A part that is new may need the step that was held back for it. */
function added(state: State, chunk: Chunk): readonly Chunk[] {
  const { step } = state
  state.step = null
  return step === null ? [chunk] : [step, chunk]
}

function passWords(state: State, draft: MessageDraft, chunk: WordsChunk): readonly Chunk[] {
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
  else return toldAgain(draft, kind, chunk.id, echo)
  return []
}

/** The same words add nothing; more of words that were cut off takes their place; other words stand beside them. */
function toldAgain(
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

/** Whether a result, or a question, is not yet in the part it is about. */
function saysMore(draft: MessageDraft, chunk: ResultChunk): boolean {
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

const isWords = (chunk: Chunk): chunk is WordsChunk => /^(text|reasoning)-/.test(chunk.type)
const isResult = (chunk: Chunk): chunk is ResultChunk =>
  chunk.type.startsWith('tool-output-') || chunk.type === 'tool-approval-request'
const isInput = (chunk: Chunk): chunk is InputChunk => chunk.type.startsWith('tool-input-')

/** A part that comes in one chunk. */
const isWhole = (chunk: Chunk): boolean =>
  chunk.type === 'file' || chunk.type.startsWith('source-') || chunk.type.startsWith('data-')

const changesKnownData = (draft: MessageDraft, chunk: Chunk): boolean =>
  chunk.type.startsWith('data-') && 'id' in chunk && draft.data.has(`${chunk.type} ${chunk.id}`)
