import { summary, type SessionSummary } from '../../projections/summary.ts'
import { createThreadCursor, type ThreadCursor } from '../../projections/thread-cursor.ts'
import type { Chunk, Thread } from '../../protocol/chunk.ts'
import type { Entry } from '../../protocol/entry.ts'
import { chunksOf } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import { toolOf } from '../../protocol/tool-call/call.ts'
import { resourcesOf } from '../../protocol/tool-call/resources.ts'
import type { IndexedPart, PartKey, RemovedPart, SessionBatch } from '../engine.ts'
import { textOfJson } from '../text/text-of-json.ts'
import { textOfOutput } from '../text/text-of-output.ts'
import { promptsOf, titleAfter } from './prompts-and-titles.ts'

/** A text that still grows. */
interface OpenText extends Omit<PartKey, 'kind'> {
  readonly kind: 'answer' | 'thinking'
  readonly first: number
  at: number
  seq: number
  text: string
}

/** The facts about a call that filters use. */
type CallFacts = Pick<IndexedPart, 'tool' | 'family' | 'files'>

/** What is needed to continue the fold later: plain JSON. */
interface FoldState {
  readonly summary: SessionSummary | null
  readonly places: readonly SavedPlace[]
  readonly texts: readonly OpenText[]
  /** Calls without a final result. */
  readonly calls: readonly (readonly [string, CallFacts])[]
}

/** Folds the entries of a session into its texts, each once. */
export interface PartsFold {
  apply(entry: Entry): void
  /** How many signs the texts have that were not taken yet. */
  size(): number
  /** What changed since the last time. Texts that still grow are included as they are now. */
  take(): Omit<SessionBatch, 'session'>
}

const none = { tool: null, family: null, files: [] } as const

/** Begins before the first entry, or where another fold was when it was taken from. */
export function createPartsFold(saved?: Json): PartsFold {
  return new Fold((saved ?? null) as unknown as FoldState | null)
}

class Fold implements PartsFold {
  private summary: SessionSummary | null
  private seq = 0
  private readonly cursor: ThreadCursor
  private readonly texts: Map<string, OpenText>
  private readonly calls: Map<string, CallFacts>
  private readonly grown = new Set<string>()
  private puts = new Map<string, IndexedPart>()
  private removed: RemovedPart[] = []
  private signs = 0

  constructor(saved: FoldState | null) {
    this.summary = saved?.summary ?? null
    this.cursor = restoredCursor(saved?.places ?? [])
    this.texts = new Map(saved?.texts.map(text => [`${text.kind} ${idOf(text, text.part)}`, { ...text }]))
    this.calls = new Map(saved?.calls)
  }

  apply(entry: Entry): void {
    const before = this.summary
    this.summary = summary.apply(before, entry)
    this.seq = entry.seq
    for (const part of promptsOf(entry)) this.put({ ...none, ...part })
    const title = titleAfter(before, this.summary, entry)
    if (title !== null) this.put({ ...none, ...title })
    for (const from of chunksOf(entry.event)) {
      const message = this.cursor.follow(from)
      if (message !== null) this.applyChunk(entry, { thread: from.thread, message }, from.chunk)
    }
  }

  size(): number {
    return this.signs
  }

  take(): Omit<SessionBatch, 'session'> {
    for (const id of this.grown) this.putText(this.texts.get(id))
    const { removed, puts } = this
    this.grown.clear()
    this.puts = new Map()
    this.removed = []
    this.signs = 0
    const state: FoldState = {
      summary: this.summary,
      places: [...this.cursor.places],
      texts: [...this.texts.values()],
      calls: [...this.calls],
    }
    const facts = this.summary
    return { seq: this.seq, state: state as unknown as Json, facts, removed, parts: [...puts.values()] }
  }

  private put(part: IndexedPart): void {
    this.puts.set(`${part.kind} ${idOf(part, part.part)}`, part)
    this.signs += part.text.length
  }

  private putText(text: OpenText | undefined): void {
    if (text !== undefined) this.put({ ...none, ...text })
  }

  private applyChunk(entry: Entry, place: MessagePlace, chunk: Chunk): void {
    const moment = { at: entry.at, seq: entry.seq }
    if (isTextChunk(chunk)) this.applyText(moment, place, chunk)
    else if (isInputChunk(chunk)) this.putInput(moment, place, chunk)
    else if (isOutputChunk(chunk)) {
      const isPreliminary = 'preliminary' in chunk && chunk.preliminary
      const call = { ...place, ...moment, part: chunk.toolCallId, first: entry.seq }
      this.putOutput({ ...call, text: outputIn(chunk) }, isPreliminary)
    } else if (chunk.type === 'data-retracted') for (const id of chunk.data.ids) this.retract(place, id)
    else if (chunk.type === 'finish')
      for (const [id, text] of this.texts)
        if (text.thread === place.thread && text.message === place.message) this.endText(id)
  }

  private applyText(moment: Moment, place: MessagePlace, chunk: TextChunk): void {
    const kind = chunk.type.startsWith('text') ? 'answer' : 'thinking'
    const id = textId(place, kind, chunk.id)
    if ('delta' in chunk) this.grow(id, chunk.delta, moment)
    else if (chunk.type.endsWith('end')) this.endText(id)
    else this.texts.set(id, { ...place, ...moment, kind, part: chunk.id, first: moment.seq, text: '' })
  }

  private putInput({ seq, at }: Moment, place: MessagePlace, chunk: InputChunk): void {
    const facts = factsOfCall(this.summary, chunk)
    const call = { ...place, part: chunk.toolCallId, at, first: seq, seq }
    this.calls.set(idOf(place, chunk.toolCallId), facts)
    this.put({ ...call, ...facts, kind: 'tool-input', text: textOfJson(chunk.input) })
    if (chunk.type === 'tool-input-error') this.putOutput({ ...call, text: chunk.errorText }, false)
  }

  private grow(id: string, delta: string, { seq, at }: Moment): void {
    const text = this.texts.get(id)
    if (text === undefined) return
    text.text += delta
    text.seq = seq
    text.at = at
    this.signs += delta.length
    this.grown.add(id)
  }

  private endText(id: string): void {
    this.putText(this.texts.get(id))
    this.texts.delete(id)
    this.grown.delete(id)
  }

  /** An output of an unknown call belongs to a call that was retracted, or repeats what is there. */
  private putOutput(output: Omit<IndexedPart, 'kind' | keyof CallFacts>, isPreliminary: boolean): void {
    const id = idOf(output, output.part)
    const facts = this.calls.get(id)
    if (facts === undefined) return
    if (!isPreliminary) this.calls.delete(id)
    this.put({ ...output, ...facts, kind: 'tool-output' })
  }

  private retract(place: MessagePlace, part: string): void {
    for (const kind of ['answer', 'thinking', 'tool-input', 'tool-output'])
      this.puts.delete(`${kind} ${idOf(place, part)}`)
    for (const kind of ['answer', 'thinking'] as const) {
      this.texts.delete(textId(place, kind, part))
      this.grown.delete(textId(place, kind, part))
    }
    this.calls.delete(idOf(place, part))
    this.removed.push({ ...place, part })
  }
}

type Moment = Pick<Entry, 'seq' | 'at'>
type TextChunk = Extract<Chunk, { readonly type: `text-${string}` | `reasoning-${string}` }>
type InputChunk = Extract<Chunk, { readonly type: `tool-input-${'available' | 'error'}` }>

type OutputChunk = Extract<Chunk, { readonly type: `tool-output-${string}` }>

const isTextChunk = (chunk: Chunk): chunk is TextChunk => /^(?:text|reasoning)-/.test(chunk.type)
const isInputChunk = (chunk: Chunk): chunk is InputChunk =>
  /^tool-input-(?:available|error)$/.test(chunk.type)
const isOutputChunk = (chunk: Chunk): chunk is OutputChunk => chunk.type.startsWith('tool-output-')

function outputIn(chunk: OutputChunk): string {
  if (chunk.type === 'tool-output-available') return textOfOutput(chunk.output)
  return chunk.type === 'tool-output-error' ? chunk.errorText : ''
}

/** A thread, and its place in a cursor. */
type SavedPlace =
  ThreadCursor['places'] extends ReadonlyMap<Thread, infer Place> ? readonly [Thread, Place] : never

/** A cursor with the places of another one. */
function restoredCursor(places: readonly SavedPlace[]): ThreadCursor {
  const cursor = createThreadCursor()
  for (const [thread, { message, under, isOpen }] of places) {
    if (under !== null) cursor.follow({ thread, chunk: { type: 'start', messageId: under } })
    cursor.follow({ thread, chunk: { type: 'start', messageId: message } })
    if (!isOpen) cursor.follow({ thread, chunk: { type: 'finish' } })
  }
  return cursor
}

interface MessagePlace {
  readonly thread: Thread
  readonly message: string
}

const idOf = (
  { thread, message }: { readonly thread: Thread; readonly message: string | null },
  part: string,
) => `${thread ?? ''}\n${message ?? ''}\n${part}`
const textId = (place: MessagePlace, kind: 'answer' | 'thinking', part: string) =>
  `${kind} ${idOf(place, part)}`

const mostFiles = 100

/** The tool of a call and the files that it is about, as far as the input shows. */
function factsOfCall(
  session: Pick<SessionSummary, 'agent' | 'cwd'> | null,
  { toolName: tool, input }: { readonly toolName: string; readonly input: Json },
): CallFacts {
  const call = { tool, input, agent: session?.agent ?? null, cwd: session?.cwd ?? null }
  const files = resourcesOf(call).flatMap(({ key }) => (key.startsWith('file:') ? [key.slice(5)] : []))
  return { tool, family: toolOf(call).family, files: files.slice(0, mostFiles) }
}
