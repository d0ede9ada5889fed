import type { Json } from '../../../protocol/json.ts'
import { parseJson } from '../../kit/parse-json.ts'
import type { Op } from '../../kit/parts.ts'
import { callIn } from '../../kit/parts/look.ts'
import { advanceWire } from '../wire/advance-wire.ts'
import { readWire } from '../wire/read-wire.ts'
import type { OpenPiece, WireEvent } from '../wire/wire-event.ts'
import { newest, spend } from './spending.ts'
import { note, emit, type Draft, type ResponseState } from './state.ts'

/** An event of a model's stream. */
export function applyWireEvent(draft: Draft, request: string, block: string): void {
  const response = draft.state.responses.get(request)
  if (response === undefined) return
  const [wire, events] = readWire(response.wire, block)
  let before = response.wire
  for (const event of events) {
    const piece = 'key' in event ? before.open.get(event.key) : undefined
    applyEvent(draft, request, event, piece)
    before = advanceWire(before, event)
  }
  change(draft, request, { wire })
}

function change(draft: Draft, request: string, news: Partial<ResponseState>): void {
  const { responses } = draft.state
  const response = responses.get(request)
  if (response !== undefined)
    note(draft, { responses: new Map(responses).set(request, { ...response, ...news }) })
}

type Handlers = {
  readonly [Type in WireEvent['type']]: (
    event: Extract<WireEvent, { readonly type: Type }>,
    at: EventContext,
  ) => readonly Op[]
}

interface EventContext {
  readonly draft: Draft
  readonly request: string
  readonly response: ResponseState
  /** The part that the event continues or ends. */
  readonly piece: OpenPiece | undefined
}

function applyEvent(draft: Draft, request: string, event: WireEvent, piece: OpenPiece | undefined): void {
  const response = draft.state.responses.get(request)
  if (response === undefined) return
  const handle = handlers[event.type] as (event: WireEvent, at: EventContext) => readonly Op[]
  emit(draft, response.thread, handle(event, { draft, request, response, piece }))
}

const nothing: readonly Op[] = []

const handlers: Handlers = {
  text: textOps,
  thinking: textOps,
  end(event, at) {
    const key = keyOf(at, event.key)
    const seal = event.seal ?? at.piece?.seal ?? undefined
    if (seal === undefined) return [{ type: 'end', key }]
    if (at.piece?.kind === 'thinking' && !at.piece.hasText) return sealed(at, key, seal)
    return [{ type: 'end', key, providerMetadata: seal }]
  },
  seal: () => nothing,
  sealed: (event, at) => sealed(at, keyOf(at, event.key), event.seal),
  call: (event, at) => [{ type: 'call', call: nameCall(at, event), tool: event.tool }],
  'call-input': ({ key, delta }, { response }) => {
    const call = response.calls.get(key)
    return call === undefined ? nothing : [{ type: 'call-input', call, delta }]
  },
  'call-so-far': () => nothing,
  'call-ready': callReady,
  'their-result': ({ call: id, output, isError }, { response }) => {
    const call = response.theirs.get(id) ?? id
    return [isError ? { type: 'failure', call, error: textOf(output) } : { type: 'result', call, output }]
  },
  file: ({ url, mediaType }) => [{ type: 'show', chunk: { type: 'file', url, mediaType } }],
  source: ({ url, title }) => [
    { type: 'show', chunk: { type: 'source-url', sourceId: url, url, ...(title !== null && { title }) } },
  ],
  usage({ tokens }, { draft, request, response }) {
    change(draft, request, { tokens: newest(response.tokens, tokens) })
    return nothing
  },
  model({ model }, { draft, request }) {
    change(draft, request, { model })
    return nothing
  },
  stop: () => nothing,
  complete: () => nothing,
  error: () => nothing,
  unknown: ({ kind, native }) => [
    { type: 'show', chunk: { type: 'data-unknown', data: { agent: 'model', kind, native } } },
  ],
}

const keyOf = ({ request }: EventContext, key: string) => `${request} ${key}`

function remember({ draft, request }: EventContext, name: string): void {
  const emitted = draft.state.responses.get(request)?.emitted ?? new Set()
  if (!emitted.has(name)) change(draft, request, { emitted: new Set(emitted).add(name) })
}

function textOps(
  event: Extract<WireEvent, { readonly type: 'text' | 'thinking' }>,
  at: EventContext,
): readonly Op[] {
  const key = keyOf(at, event.key)
  remember(at, key)
  return [{ type: event.type, key, delta: event.delta }]
}

function sealed(at: EventContext, key: string, seal: NonNullable<OpenPiece['seal']>): readonly Op[] {
  remember(at, key)
  return [{ type: 'sealed', key, providerMetadata: seal }]
}

/** A call has the provider's id, unless it has none or another call has it: then its place names it. */
function nameCall(
  at: EventContext,
  { key, id, isTheirs }: Extract<WireEvent, { readonly type: 'call' | 'call-ready' }>,
): string {
  const { draft, request, response } = at
  const known = response.calls.get(key)
  if (known !== undefined) return known
  const isFree = id !== '' && callIn(draft.state.parts, id) === undefined
  const name = isFree ? id : `${request}.${response.calls.size + 1}`
  change(draft, request, {
    calls: new Map(response.calls).set(key, name),
    ids: new Map(response.ids).set(name, id),
    ...(isTheirs === true && { theirs: new Map(response.theirs).set(id, name) }),
  })
  remember(at, name)
  return name
}

function callReady(
  event: Extract<WireEvent, { readonly type: 'call-ready' }>,
  at: EventContext,
): readonly Op[] {
  const call = nameCall(at, event)
  const text = event.inputText ?? at.piece?.input ?? ''
  const input = event.input ?? (text.trim() === '' ? {} : parseJson(text))
  const seal = event.seal ?? at.piece?.seal ?? undefined
  const sealing = seal === undefined ? {} : { providerMetadata: seal }
  if (input !== undefined) return [{ type: 'call-ready', call, tool: event.tool, input, ...sealing }]
  // Invalid JSON is shown unchanged; the loop reports it to the model.
  return [{ type: 'call-ready', call, tool: event.tool, input: text, ...sealing }]
}

const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Counts the usage of a response, once. */
export function settleResponse(draft: Draft, request: string): void {
  const response = draft.state.responses.get(request)
  if (response === undefined) return
  spend(draft, request, response)
  const responses = new Map(draft.state.responses)
  responses.delete(request)
  note(draft, { responses, current: draft.state.current === request ? null : draft.state.current })
}
