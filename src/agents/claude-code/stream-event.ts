import type { ProviderMetadata, Thread } from '../../protocol/chunk.ts'
import type { RawMessage } from '../agent.ts'
import type { Op } from '../kit/parts.ts'
import { entriesIn, getIn, setIn } from '../kit/persistent-map.ts'
import { unknownOf } from '../kit/read-json.ts'
import { numberOf, readBlock, sumOf, textOf, tokensOf, wordsOf, type Words } from './messages.ts'
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

type Meaning = (draft: Draft, thread: Thread, event: Words, words: Words, raw: RawMessage) => void

/** A piece of a model's message as it is made. */
export function hearStreamEvent(draft: Draft, words: Words, raw: RawMessage): void {
  const event = wordsOf(words['event'])
  const kind = event === null ? null : textOf(event['type'])
  const meaning = kind === null ? undefined : meanings.get(kind)
  if (event === null || meaning === undefined)
    return act(draft, [unknownOf(agentName, `stream_event/${kind ?? 'untyped'}`, raw, words)])
  meaning(draft, textOf(words['parent_tool_use_id']), event, words, raw)
}

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['content_block_delta', hearDelta],
  ['content_block_start', hearBlockStart],
  ['content_block_stop', hearBlockStop],
  ['message_start', hearStart],
  ['message_delta', hearMessageDelta],
  ['message_stop', hearStop],
  ['ping', () => undefined],
])

function hearStart(draft: Draft, thread: Thread, event: Words, words: Words): void {
  const message = wordsOf(event['message']) ?? {}
  const model = enterModel(draft, thread, textOf(message['id']) ?? '')
  changeModel(draft, thread, { ...model, stream: streamIn(words), over: false })
  beginRequest(draft, thread, message)
}

const streamIn = (words: Words): string | null => textOf(words['api_message_id'])

function beginRequest(draft: Draft, thread: Thread, message: Words): void {
  act(draft, [{ type: 'begin' }], thread)
  if (thread !== null) return
  const { spending } = draft.state
  remember(draft, {
    stop: null,
    spending: {
      ...spending,
      done: sumOf(spending.done, spending.request),
      request: tokensOf(wordsOf(message['usage']) ?? {}),
      model: textOf(message['model']) ?? spending.model,
    },
  })
}

/** The message that an event is of. The beginning of its stream may have been missed. */
function modelHeard(draft: Draft, thread: Thread, words: Words): ModelMessage {
  const before = modelOf(draft.state, thread)
  const stream = streamIn(words)
  if (stream === null ? !before.over : stream === before.stream) return before
  const known = { id: stream ?? '', name: stream ?? `${before.name}+`, stream }
  const model = takeUpModel(draft, thread, known)
  beginRequest(draft, thread, {})
  return model
}

function hearBlockStart(draft: Draft, thread: Thread, event: Words, words: Words): void {
  const model = modelHeard(draft, thread, words)
  const index = numberOf(event['index']) ?? 0
  const block = readBlock(wordsOf(event['content_block']) ?? {})
  const isWords = block.type === 'text' || block.type === 'thinking'
  const isCall = block.type === 'call'
  const key = isCall ? block.call : keyOf(model, index)
  noteBlock(draft, thread, index, { kind: isWords || isCall ? block.type : 'other', key })
  if (isWords) say(draft, thread, { type: block.type, key, delta: block.text })
  if (isCall) act(draft, [{ type: 'call', call: key, tool: block.tool }], thread)
}

/** The result repeats the last text, which is then known. */
function say(draft: Draft, thread: Thread, op: Op): void {
  const isText = op.type === 'text' && op.delta !== '' && thread === null
  if (isText && !draft.state.spoken) remember(draft, { spoken: true })
  act(draft, [op], thread)
}

function noteBlock(draft: Draft, thread: Thread, index: number, block: StreamedBlock): void {
  const model = modelOf(draft.state, thread)
  changeModel(draft, thread, { ...model, blocks: setIn(model.blocks, index, block) })
}

function hearDelta(draft: Draft, thread: Thread, event: Words, words: Words, raw: RawMessage): void {
  const model = modelHeard(draft, thread, words)
  const index = numberOf(event['index']) ?? 0
  const block = getIn(model.blocks, index)
  const delta = wordsOf(event['delta']) ?? {}
  const kind = textOf(delta['type'])
  const op = deltaOp(kind, delta, block?.key ?? keyOf(model, index))
  if (op !== null) {
    if (block === undefined) noteMissed(draft, thread, index, op)
    return say(draft, thread, op)
  }
  if (kind === 'signature_delta' || kind === 'citations_delta' || block?.kind === 'other') return
  act(draft, [unknownOf(agentName, `delta/${kind ?? 'untyped'}`, raw, words)], thread)
  // A new kind comes by the thousand: one of each block is enough to show.
  noteBlock(draft, thread, index, { kind: 'other', key: block?.key ?? keyOf(model, index) })
}

/** A block whose beginning was missed is known by its words. */
function noteMissed(draft: Draft, thread: Thread, index: number, op: Op): void {
  if (op.type === 'text' || op.type === 'thinking')
    noteBlock(draft, thread, index, { kind: op.type, key: op.key })
}

function deltaOp(kind: string | null, delta: Words, key: string): Op | null {
  if (kind === 'text_delta') return { type: 'text', key, delta: textOf(delta['text']) ?? '' }
  if (kind === 'thinking_delta') return { type: 'thinking', key, delta: textOf(delta['thinking']) ?? '' }
  if (kind === 'input_json_delta')
    return { type: 'call-input', call: key, delta: textOf(delta['partial_json']) ?? '' }
  return null
}

function hearBlockStop(draft: Draft, thread: Thread, event: Words): void {
  const model = modelOf(draft.state, thread)
  const block = getIn(model.blocks, numberOf(event['index']) ?? -1)
  if (block?.kind === 'text' || block?.kind === 'thinking')
    act(draft, [{ type: 'end', key: block.key }], thread)
}

/** Only here are the true tokens of one request told, and why the model stopped. */
function hearMessageDelta(draft: Draft, thread: Thread, event: Words): void {
  if (thread !== null) return
  const { spending } = draft.state
  const request = tokensOf(wordsOf(event['usage']) ?? {}, spending.request)
  remember(draft, {
    spending: { ...spending, request },
    stop: textOf(wordsOf(event['delta'])?.['stop_reason']) ?? draft.state.stop,
  })
  const tokens = [spending.done, request].reduce(sumOf, spending.settled.tokens)
  const data = { tokens, cost: null, model: spending.model }
  act(draft, [{ type: 'show', chunk: { type: 'data-usage', id: 'usage', data } }])
}

/** A stream that broke is ended like others, and names the blocks that do not count. */
function hearStop(draft: Draft, thread: Thread, _: Words, words: Words): void {
  const model = modelHeard(draft, thread, words)
  changeModel(draft, thread, { ...model, over: true })
  const from = numberOf(wordsOf(words['abandoned_blocks'])?.['from_block_index'])
  if (from === null) return
  const { blocks } = model
  const keys = [...entriesIn(blocks)].flatMap(([index, { key }]) => (index >= from ? [key] : []))
  if (keys.length > 0) act(draft, [{ type: 'retract', keys }], thread)
}

/** Facts that go with a part. */
export function factsOf(facts: Words): { readonly providerMetadata?: ProviderMetadata } {
  const known = Object.entries(facts).filter(([, fact]) => fact !== null)
  return known.length === 0 ? {} : { providerMetadata: { [agentName]: Object.fromEntries(known) } }
}
