import type { ProviderMetadata, Thread } from '../../protocol/chunk.ts'
import type { RawMessage } from '../agent.ts'
import type { Op } from '../kit/parts.ts'
import { entriesIn, getIn, setIn } from '../kit/persistent-map.ts'
import { unknownOf } from '../kit/parse-json.ts'
import { numberOf, readBlock, sumOf, textOf, tokensOf, fieldsOf, type Fields } from './messages.ts'
import {
  act,
  agentName,
  changeModel,
  enterModel,
  keyOf,
  modelOf,
  remember,
  takeUpModel,
  type Draft,
  type ModelMessage,
  type StreamedBlock,
} from './state.ts'

type Meaning = (draft: Draft, thread: Thread, event: Fields, fields: Fields, raw: RawMessage) => void

/** A stream event of a model's message. */
export function applyStreamEvent(draft: Draft, fields: Fields, raw: RawMessage): void {
  const event = fieldsOf(fields['event'])
  const kind = event === null ? null : textOf(event['type'])
  const meaning = kind === null ? undefined : meanings.get(kind)
  if (event === null || meaning === undefined)
    return act(draft, [unknownOf(agentName, `stream_event/${kind ?? 'untyped'}`, raw, fields)])
  meaning(draft, textOf(fields['parent_tool_use_id']), event, fields, raw)
}

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['content_block_delta', applyDelta],
  ['content_block_start', applyBlockStart],
  ['content_block_stop', applyBlockStop],
  ['message_start', applyStart],
  ['message_delta', applyMessageDelta],
  ['message_stop', applyStop],
  ['ping', () => undefined],
])

function applyStart(draft: Draft, thread: Thread, event: Fields, fields: Fields): void {
  const message = fieldsOf(event['message']) ?? {}
  const model = enterModel(draft, thread, textOf(message['id']) ?? '')
  changeModel(draft, thread, { ...model, stream: streamIn(fields), over: false })
  beginRequest(draft, thread, message)
}

const streamIn = (fields: Fields): string | null => textOf(fields['api_message_id'])

function beginRequest(draft: Draft, thread: Thread, message: Fields): void {
  act(draft, [{ type: 'begin' }], thread)
  if (thread !== null) return
  const { spending } = draft.state
  remember(draft, {
    stop: null,
    spending: {
      ...spending,
      done: sumOf(spending.done, spending.request),
      request: tokensOf(fieldsOf(message['usage']) ?? {}),
      model: textOf(message['model']) ?? spending.model,
    },
  })
}

/** The message of an event. The beginning of its stream may have been missed. */
function messageOf(draft: Draft, thread: Thread, fields: Fields): ModelMessage {
  const before = modelOf(draft.state, thread)
  const stream = streamIn(fields)
  if (stream === null ? !before.over : stream === before.stream) return before
  const known = { id: stream ?? '', name: stream ?? `${before.name}+`, stream }
  const model = takeUpModel(draft, thread, known)
  beginRequest(draft, thread, {})
  return model
}

function applyBlockStart(draft: Draft, thread: Thread, event: Fields, fields: Fields): void {
  const model = messageOf(draft, thread, fields)
  const index = numberOf(event['index']) ?? 0
  const block = readBlock(fieldsOf(event['content_block']) ?? {})
  const isText = block.type === 'text' || block.type === 'thinking'
  const isCall = block.type === 'call'
  const key = isCall ? block.call : keyOf(model, index)
  noteBlock(draft, thread, index, { kind: isText || isCall ? block.type : 'other', key })
  if (isText) emitDelta(draft, thread, { type: block.type, key, delta: block.text })
  if (isCall) act(draft, [{ type: 'call', call: key, tool: block.tool }], thread)
}

/** The result repeats the last text, which is then known. */
function emitDelta(draft: Draft, thread: Thread, op: Op): void {
  const isText = op.type === 'text' && op.delta !== '' && thread === null
  if (isText && !draft.state.spoken) remember(draft, { spoken: true })
  act(draft, [op], thread)
}

function noteBlock(draft: Draft, thread: Thread, index: number, block: StreamedBlock): void {
  const model = modelOf(draft.state, thread)
  changeModel(draft, thread, { ...model, blocks: setIn(model.blocks, index, block) })
}

function applyDelta(draft: Draft, thread: Thread, event: Fields, fields: Fields, raw: RawMessage): void {
  const model = messageOf(draft, thread, fields)
  const index = numberOf(event['index']) ?? 0
  const block = getIn(model.blocks, index)
  const delta = fieldsOf(event['delta']) ?? {}
  const kind = textOf(delta['type'])
  const op = deltaOp(kind, delta, block?.key ?? keyOf(model, index))
  if (op !== null) {
    if (block === undefined) noteMissed(draft, thread, index, op)
    return emitDelta(draft, thread, op)
  }
  if (kind === 'signature_delta' || kind === 'citations_delta' || block?.kind === 'other') return
  act(draft, [unknownOf(agentName, `delta/${kind ?? 'untyped'}`, raw, fields)], thread)
  // A new kind comes by the thousand: one per block is enough to show.
  noteBlock(draft, thread, index, { kind: 'other', key: block?.key ?? keyOf(model, index) })
}

/** A block whose beginning was missed is identified by its delta. */
function noteMissed(draft: Draft, thread: Thread, index: number, op: Op): void {
  if (op.type === 'text' || op.type === 'thinking')
    noteBlock(draft, thread, index, { kind: op.type, key: op.key })
}

function deltaOp(kind: string | null, delta: Fields, key: string): Op | null {
  if (kind === 'text_delta') return { type: 'text', key, delta: textOf(delta['text']) ?? '' }
  if (kind === 'thinking_delta') return { type: 'thinking', key, delta: textOf(delta['thinking']) ?? '' }
  if (kind === 'input_json_delta')
    return { type: 'call-input', call: key, delta: textOf(delta['partial_json']) ?? '' }
  return null
}

function applyBlockStop(draft: Draft, thread: Thread, event: Fields): void {
  const model = modelOf(draft.state, thread)
  const block = getIn(model.blocks, numberOf(event['index']) ?? -1)
  if (block?.kind === 'text' || block?.kind === 'thinking')
    act(draft, [{ type: 'end', key: block.key }], thread)
}

/** Only this event has the true tokens of a request, and why the model stopped. */
function applyMessageDelta(draft: Draft, thread: Thread, event: Fields): void {
  if (thread !== null) return
  const { spending } = draft.state
  const request = tokensOf(fieldsOf(event['usage']) ?? {}, spending.request)
  remember(draft, {
    spending: { ...spending, request },
    stop: textOf(fieldsOf(event['delta'])?.['stop_reason']) ?? draft.state.stop,
  })
  const tokens = [spending.done, request].reduce(sumOf, spending.settled.tokens)
  const data = { tokens, cost: null, model: spending.model }
  act(draft, [{ type: 'show', chunk: { type: 'data-usage', id: 'usage', data } }])
}

/** A broken stream ends like others, and names the blocks that do not count. */
function applyStop(draft: Draft, thread: Thread, _: Fields, fields: Fields): void {
  const model = messageOf(draft, thread, fields)
  changeModel(draft, thread, { ...model, over: true })
  const from = numberOf(fieldsOf(fields['abandoned_blocks'])?.['from_block_index'])
  if (from === null) return
  const { blocks } = model
  const keys = [...entriesIn(blocks)].flatMap(([index, { key }]) => (index >= from ? [key] : []))
  if (keys.length > 0) act(draft, [{ type: 'retract', keys }], thread)
}

/** Metadata of a part. */
export function factsOf(facts: Fields): { readonly providerMetadata?: ProviderMetadata } {
  const known = Object.entries(facts).filter(([, fact]) => fact !== null)
  return known.length === 0 ? {} : { providerMetadata: { [agentName]: Object.fromEntries(known) } }
}
