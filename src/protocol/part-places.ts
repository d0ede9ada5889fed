import type { Chunk } from './chunk.ts'

/**
 * The positions of parts in a client's message, if the client gets more or fewer parts than the chunks have. Retractions
 * identify parts by position, so code that adds or leaves out a part must count.
 */
export interface PartPlaces {
  /** Counts what a chunk adds to the message; a `start` of another message starts over. */
  count(chunk: Chunk): void
  /** The client got a part more, at the end. */
  inserted(): void
  /** The client lost the last parts, or never got them. */
  removed(parts: number): void
  /** A retraction as that client must get it. */
  translate(chunk: RetractedChunk): RetractedChunk
}

type RetractedChunk = Extract<Chunk, { readonly type: 'data-retracted' }>

interface State {
  message: string
  parts: number
  step: number
  readonly calls: Map<string, number>
  readonly data: Set<string>
  readonly shifts: { readonly from: number; readonly by: number }[]
}

/** Begins with no message. */
export function createPartPlaces(): PartPlaces {
  let state = emptyState('')
  const placeOf = (index: number) =>
    state.shifts.reduce((place, { from, by }) => (index >= from ? place + by : place), index)
  return {
    count(chunk) {
      if (chunk.type === 'start')
        state = chunk.messageId === state.message ? state : emptyState(chunk.messageId)
      else if (addsPart(state, chunk)) state.parts += 1
    },
    inserted: () => void state.shifts.push({ from: state.parts, by: 1 }),
    removed: parts => void state.shifts.push({ from: state.parts, by: -parts }),
    translate(chunk) {
      if (state.shifts.length === 0) return chunk
      return { ...chunk, data: { ...chunk.data, indexes: chunk.data.indexes.map(placeOf) } }
    },
  }
}

const emptyState = (message: string): State => ({
  message,
  parts: 0,
  step: 0,
  calls: new Map(),
  data: new Set(),
  shifts: [],
})

const onePart: ReadonlySet<string> = new Set<Chunk['type']>([
  'text-start',
  'reasoning-start',
  'file',
  'source-url',
  'source-document',
])

function addsPart(state: State, chunk: Chunk): boolean {
  if (chunk.type === 'start-step') state.step += 1
  if (chunk.type === 'start-step' || onePart.has(chunk.type)) return true
  if (isCall(chunk)) return isNewCall(state, chunk.toolCallId)
  return chunk.type.startsWith('data-') && isNewData(state, chunk)
}

type CallChunk = Extract<Chunk, { readonly type: `tool-input-${'start' | 'available' | 'error'}` }>

const isCall = (chunk: Chunk): chunk is CallChunk =>
  chunk.type === 'tool-input-start' ||
  chunk.type === 'tool-input-available' ||
  chunk.type === 'tool-input-error'

/** A call that appears again in a later step is a separate part. */
function isNewCall({ calls, step }: State, toolCallId: string): boolean {
  if (calls.get(toolCallId) === step) return false
  calls.set(toolCallId, step)
  return true
}

function isNewData({ data }: State, chunk: Chunk): boolean {
  if (!('id' in chunk) || chunk.id === undefined) return true
  const name = `${chunk.type} ${chunk.id}`
  if (data.has(name)) return false
  data.add(name)
  return true
}
