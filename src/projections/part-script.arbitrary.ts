import * as fc from 'fast-check'
import type { Chunk, MessageMetadata } from '../protocol/chunk.ts'
import type { Json } from '../protocol/json.ts'

/** The life of one part: what must happen in the step where it begins, and what may happen any time after. */
export type Script = (id: string) => { readonly opening: readonly Chunk[]; readonly later: readonly Chunk[] }

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
const words = fc.oneof(fc.string({ unit: 'binary' }), fc.string())
const pieces = fc.array(words, { maxLength: 4 })
const nested = fc.dictionary(fc.constantFrom('a', 'b'), json, { maxKeys: 2, noNullPrototype: true })
const notes = fc.option(fc.record({ dragoman: nested }), { nil: undefined })
const noted = (about: Readonly<Record<string, Readonly<Record<string, Json>>>> | undefined) =>
  about === undefined ? {} : { providerMetadata: about }

/** Facts about a message, nested so that merging shows. */
export const metadata = fc.dictionary(
  fc.constantFrom('cost', 'tokens', 'session', 'deep'),
  fc.oneof(json, nested, fc.dictionary(fc.constantFrom('x', 'y'), nested, { noNullPrototype: true })),
  { noNullPrototype: true },
) as fc.Arbitrary<MessageMetadata>

const wordsOf = (kind: 'text' | 'reasoning'): fc.Arbitrary<Script> =>
  fc.record({ pieces, first: notes, middle: notes, last: notes }).map(plan => id => ({
    opening: [
      { type: `${kind}-start`, id, ...noted(plan.first) },
      ...plan.pieces.map((delta): Chunk => ({ type: `${kind}-delta`, id, delta, ...noted(plan.middle) })),
      { type: `${kind}-end`, id, ...noted(plan.last) },
    ],
    later: [],
  }))

/** A part of text. */
export const text = wordsOf('text')
/** A part of reasoning. */
export const reasoning = wordsOf('reasoning')

/** A part that comes whole: a file or a source. */
export const single: fc.Arbitrary<Script> = fc
  .record({ kind: fc.constantFrom('file', 'source-url', 'source-document'), notes, title: words })
  .map(plan => id => ({ opening: [wholePart(plan.kind, id, plan.title, noted(plan.notes))], later: [] }))

function wholePart(kind: string, id: string, title: string, about: ReturnType<typeof noted>): Chunk {
  if (kind === 'file') return { type: 'file', url: `data:,${id}`, mediaType: 'text/plain', ...about }
  if (kind === 'source-url') return { type: 'source-url', sourceId: id, url: 'http://x', title, ...about }
  return { type: 'source-document', sourceId: id, mediaType: 'text/plain', title, filename: title, ...about }
}

/** A data part, some with an id that others share, so that they replace each other. */
export const dataPart: fc.Arbitrary<Script> = fc
  .record({
    id: fc.option(fc.constantFrom('d1', 'd2', '__proto__', 'constructor'), { nil: undefined }),
    todo: fc.boolean(),
    value: json,
    words,
  })
  .map(plan => () => {
    const id = plan.id === undefined ? {} : { id: plan.id }
    const todos = [{ text: plan.words, status: 'pending' }] as const
    const unknown = { agent: 'a', kind: plan.words, native: plan.value }
    return {
      opening: [
        plan.todo
          ? { type: 'data-todos', ...id, data: { todos } }
          : { type: 'data-unknown', ...id, data: unknown },
      ],
      later: [],
    }
  })

const cut = (whole: string, at: readonly number[]): string[] => {
  const places = [0, ...at.map(place => place % (whole.length + 1)).toSorted((a, b) => a - b), whole.length]
  return places.slice(1).map((place, index) => whole.slice(places[index], place))
}

const input = fc.oneof(
  fc.dictionary(fc.string(), json, { noNullPrototype: true }) as fc.Arbitrary<Json>,
  fc.dictionary(fc.constantFrom('path', 'edits'), json, { noNullPrototype: true }) as fc.Arbitrary<Json>,
  json,
)
const ours = { dynamic: true, providerExecuted: true } as const
type Ending = 'output' | 'error' | 'denied' | 'open'

const toolPlan = fc.record({
  input,
  spaced: fc.boolean(),
  cuts: fc.option(fc.array(fc.nat(), { maxLength: 6 }), { nil: undefined }),
  badInput: fc.boolean(),
  repeated: fc.boolean(),
  title: fc.option(words, { nil: undefined }),
  notes,
  asks: fc.boolean(),
  preliminary: fc.array(json, { maxLength: 2 }),
  ending: fc.constantFrom<Ending>('output', 'output', 'error', 'denied', 'open'),
  output: json,
  message: words,
})
type ToolPlan = typeof toolPlan extends fc.Arbitrary<infer Plan> ? Plan : never

/** A tool call: input streamed or whole, good or bad, asked about or not, with any ending, at once or late. */
export const tool: fc.Arbitrary<Script> = toolPlan.map(plan => id => ({
  opening: inputChunks(plan, id),
  later: plan.badInput ? [] : resultChunks(plan, id),
}))

function inputChunks(plan: ToolPlan, toolCallId: string): Chunk[] {
  const call = {
    toolCallId,
    toolName: 'Edit',
    ...(plan.title !== undefined && { title: plan.title }),
    ...ours,
  }
  const whole = JSON.stringify(plan.input, null, plan.spaced ? 2 : 0)
  const streamed: Chunk[] =
    plan.cuts === undefined
      ? []
      : [
          { type: 'tool-input-start', ...call },
          ...cut(whole, plan.cuts).map((piece): Chunk => ({
            type: 'tool-input-delta',
            toolCallId,
            inputTextDelta: piece,
          })),
        ]
  const about = noted(plan.notes)
  const errorText = plan.message
  if (plan.badInput)
    return [...streamed, { type: 'tool-input-error', ...call, input: plan.input, errorText, ...about }]
  const available: Chunk = { type: 'tool-input-available', ...call, input: plan.input, ...about }
  return plan.repeated ? [...streamed, available, available] : [...streamed, available]
}

function resultChunks(plan: ToolPlan, toolCallId: string): Chunk[] {
  const asked: Chunk[] =
    plan.asks || plan.ending === 'denied'
      ? [{ type: 'tool-approval-request', approvalId: `ask-${toolCallId}`, toolCallId }]
      : []
  const preliminary = plan.preliminary.map((output): Chunk => ({
    type: 'tool-output-available',
    toolCallId,
    output,
    preliminary: true,
    ...ours,
  }))
  return [...asked, ...preliminary, ...endings[plan.ending](plan, toolCallId)]
}

const endings: Readonly<Record<Ending, (plan: ToolPlan, toolCallId: string) => readonly Chunk[]>> = {
  output: ({ output }, toolCallId) => [{ type: 'tool-output-available', toolCallId, output, ...ours }],
  error: ({ message }, toolCallId) => [
    { type: 'tool-output-error', toolCallId, errorText: message, ...ours },
  ],
  denied: (_, toolCallId) => [{ type: 'tool-output-denied', toolCallId }],
  open: () => [],
}
