import type { Thread } from '../../protocol/chunk.ts'
import type { RawMessage } from '../agent.ts'
import { notice, type Op } from '../kit/parts.ts'
import { wordsIn } from '../kit/parts/look.ts'
import { unknownOf } from '../kit/parse-json.ts'
import { entriesIn, getIn, isEmpty, setIn } from '../kit/persistent-map.ts'
import {
  objectsIn,
  blocksOf,
  numberOf,
  sumOf,
  textOf,
  textsOf,
  tokensOf,
  fieldsOf,
  type Block,
  type Fields,
} from './messages.ts'
import {
  act,
  agentName,
  changeModel,
  enterModel,
  keyOf,
  modelOf,
  remember,
  type Draft,
  type ModelMessage,
  type StreamedBlock,
} from './state.ts'
import { factsOf } from './stream-event.ts'
import { meetHelper } from './tasks.ts'
import { outputOf } from './tool-result.ts'

/** Whole blocks of a model's message: usually one at a time, and before the stream ends the block. */
export function applyAssistant(draft: Draft, fields: Fields, raw: RawMessage): void {
  const thread = textOf(fields['parent_tool_use_id'])
  const uuid = textOf(fields['uuid'])
  if (uuid !== null && getIn(draft.state.seen, uuid)) return
  takeBack(draft, textsOf(fields['supersedes']))
  meetHelper(draft, thread, fields)
  const message = fieldsOf(fields['message']) ?? {}
  const blocks = blocksOf(message['content'])
  if (isTrouble(fields, message)) return applyTrouble(draft, thread, fields, blocks)
  const id = textOf(message['id']) ?? ''
  if (isOfMissed(draft, thread, blocks)) changeModel(draft, thread, { ...modelOf(draft.state, thread), id })
  enterModel(draft, thread, id)
  const keys = blocks.map(block => emitBlock(draft, thread, block, fields, raw))
  if (uuid !== null) remember(draft, { seen: setIn(draft.state.seen, uuid, { thread, keys }) })
  if (thread !== null) return
  const spoke = blocks.some(block => block.type === 'text' && block.text !== '')
  if (spoke) remember(draft, { spoken: true })
  noteUsage(draft, message)
}

/** Retracts the parts of native messages that a later one supersedes. */
export function takeBack(draft: Draft, uuids: readonly string[]): void {
  for (const uuid of uuids) {
    const seen = getIn(draft.state.seen, uuid)
    if (seen) act(draft, [{ type: 'retract', keys: seen.keys }], seen.thread)
  }
}

/** A service error comes as a message of the model. */
function isTrouble(fields: Fields, message: Fields): boolean {
  if (fields['is_api_error_message'] === true) return true
  return message['model'] === '<synthetic>' && textOf(fields['error']) !== null
}

function applyTrouble(draft: Draft, thread: Thread, fields: Fields, blocks: readonly Block[]): void {
  const message = blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
  const kind =
    textOf(fields['api_error_type']) ?? textOf(fields['api_error']) ?? textOf(fields['error']) ?? 'api_error'
  // In the main thread the result follows and reports it as the end; a subagent's end does not.
  if (thread === null) return remember(draft, { trouble: { kind, message } })
  act(draft, [notice('error', kind, message)], thread)
}

/** Whether blocks belong to a stream whose beginning was missed, so that nothing else identifies their message. */
function isOfMissed(draft: Draft, thread: Thread, blocks: readonly Block[]): boolean {
  const model = modelOf(draft.state, thread)
  if (model.begun) return false
  return blocks.some(block => {
    const { alike } = placeOf(model, block)
    if (alike === undefined) return false
    if (block.type === 'call') return alike.key === block.call
    if (block.type !== 'text' && block.type !== 'thinking') return true
    return block.text.endsWith(wordsIn(draft.state.parts, thread, block.type, alike.key))
  })
}

/** Emits a block and returns the key of its part. */
function emitBlock(draft: Draft, thread: Thread, block: Block, fields: Fields, raw: RawMessage): string {
  const { key, index } = placeOf(modelOf(draft.state, thread), block)
  changeModel(draft, thread, { ...modelOf(draft.state, thread), finals: index + 1 })
  act(draft, blockOps(block, key, fields, raw), thread)
  return key
}

/** Which streamed block this is: the next of its kind, since a whole message may leave out streamed blocks. */
function placeOf(model: ModelMessage, block: Block): Place {
  const streamed = [...entriesIn(model.blocks)]
  const [at, alike] = streamed.find(([each, { kind }]) => each >= model.finals && kind === block.type) ?? []
  const index = at ?? model.finals
  return { alike, index, key: block.type === 'call' ? block.call : (alike?.key ?? keyOf(model, index)) }
}

interface Place {
  readonly key: string
  readonly index: number
  readonly alike: StreamedBlock | undefined
}

/** The operation for a block. */
export function blockOps(block: Block, key: string, fields: Fields, raw: RawMessage): readonly Op[] {
  switch (block.type) {
    case 'text':
      return [
        { type: 'final', kind: 'text', key, text: block.text, ...factsOf({ citations: block.citations }) },
      ]
    case 'thinking': {
      const facts = { signature: block.signature, duration: numberOf(fields['thinking_duration_ms']) }
      return [{ type: 'final', kind: 'thinking', key, text: block.text, ...factsOf(facts) }]
    }
    case 'redacted':
      return []
    case 'call':
      return [
        { type: 'call-ready', call: key, tool: block.tool, input: block.input, ...titleOf(fields, key) },
      ]
    case 'result':
      return [{ type: 'result', call: block.call, output: outputOf(block.content, null) }]
    case 'other':
      return [unknownOf(agentName, `block/${block.kind}`, raw, block.native)]
  }
}

function titleOf(fields: Fields, call: string): { readonly title?: string } {
  const meta = objectsIn(fields['tool_use_meta']).find(each => each['id'] === call)
  const title = textOf(meta?.['display_name'])
  return title === null ? {} : { title }
}

/** An answer that was not streamed reports its tokens here, in each of its blocks. */
function noteUsage(draft: Draft, message: Fields): void {
  const { spending, models } = draft.state
  const usage = fieldsOf(message['usage'])
  const blocks = getIn(models, null)?.blocks
  const isStreamed = blocks !== undefined && !isEmpty(blocks)
  if (usage === null || isStreamed || textOf(message['stop_reason']) === null) return
  const model = textOf(message['model'])
  const isFirst = getIn(models, null)?.finals === 1
  const done = isFirst ? sumOf(spending.done, spending.request) : spending.done
  remember(draft, {
    stop: textOf(message['stop_reason']),
    spending: { ...spending, done, request: tokensOf(usage), model },
  })
}
