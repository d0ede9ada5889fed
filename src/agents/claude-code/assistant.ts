import type { Thread } from '../../protocol/chunk.ts'
import type { RawMessage } from '../agent.ts'
import type { Op } from '../kit/parts.ts'
import { wordsIn } from '../kit/parts/look.ts'
import { unknownOf } from '../kit/read-json.ts'
import { entriesIn, getIn, setIn } from '../kit/persistent-map.ts'
import {
  allWordsOf,
  blocksOf,
  numberOf,
  sumOf,
  textOf,
  textsOf,
  tokensOf,
  wordsOf,
  type Block,
  type Words,
} from './messages.ts'
import { noticeOp } from './notice.ts'
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

/** Blocks of a model's message, whole: usually one at a time, and before the stream says that the block is over. */
export function hearAssistant(draft: Draft, words: Words, raw: RawMessage): void {
  const thread = textOf(words['parent_tool_use_id'])
  const uuid = textOf(words['uuid'])
  if (uuid !== null && getIn(draft.state.told, uuid)) return
  takeBack(draft, textsOf(words['supersedes']))
  meetHelper(draft, thread, words)
  const message = wordsOf(words['message']) ?? {}
  const blocks = blocksOf(message['content'])
  if (isTrouble(words, message)) return hearTrouble(draft, thread, words, blocks)
  const id = textOf(message['id']) ?? ''
  if (isOfMissed(draft, thread, blocks)) changeModel(draft, thread, { ...modelOf(draft.state, thread), id })
  enterModel(draft, thread, id)
  const keys = blocks.map(block => tellBlock(draft, thread, block, words, raw))
  if (uuid !== null) remember(draft, { told: setIn(draft.state.told, uuid, { thread, keys }) })
  if (thread !== null) return
  const spoke = blocks.some(block => block.type === 'text' && block.text !== '')
  if (spoke) remember(draft, { spoken: true })
  noteUsage(draft, message)
}

/** Takes back what native messages gave that are named by a later one. */
export function takeBack(draft: Draft, uuids: readonly string[]): void {
  for (const uuid of uuids) {
    const told = getIn(draft.state.told, uuid)
    if (told) act(draft, [{ type: 'retract', keys: told.keys }], told.thread)
  }
}

/** An error of the model's service is dressed up as words of the model. */
function isTrouble(words: Words, message: Words): boolean {
  if (words['is_api_error_message'] === true) return true
  return message['model'] === '<synthetic>' && textOf(words['error']) !== null
}

function hearTrouble(draft: Draft, thread: Thread, words: Words, blocks: readonly Block[]): void {
  const message = blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
  const kind =
    textOf(words['api_error_type']) ?? textOf(words['api_error']) ?? textOf(words['error']) ?? 'api_error'
  // In the main thread the result follows and says it as the end; a subagent's end says nothing of it.
  if (thread === null) return remember(draft, { trouble: { kind, message } })
  act(draft, [noticeOp('error', kind, message)], thread)
}

/** Whether blocks are those of a stream whose beginning was missed, so that nothing else says whose they are. */
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

/** Says a block and gives the key of what it is. */
function tellBlock(draft: Draft, thread: Thread, block: Block, words: Words, raw: RawMessage): string {
  const { key, index } = placeOf(modelOf(draft.state, thread), block)
  changeModel(draft, thread, { ...modelOf(draft.state, thread), finals: index + 1 })
  act(draft, blockOps(block, key, words, raw), thread)
  return key
}

/** Which streamed block this is: the next of its kind, since a whole message may leave out what was streamed. */
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

/** What a block means. */
export function blockOps(block: Block, key: string, words: Words, raw: RawMessage): readonly Op[] {
  switch (block.type) {
    case 'text':
      return [
        { type: 'final', kind: 'text', key, text: block.text, ...factsOf({ citations: block.citations }) },
      ]
    case 'thinking': {
      const facts = { signature: block.signature, duration: numberOf(words['thinking_duration_ms']) }
      return [{ type: 'final', kind: 'thinking', key, text: block.text, ...factsOf(facts) }]
    }
    case 'redacted':
      return []
    case 'call':
      return [{ type: 'call-ready', call: key, tool: block.tool, input: block.input, ...titleOf(words, key) }]
    case 'result':
      return [{ type: 'result', call: block.call, output: outputOf(block.content, null) }]
    case 'other':
      return [unknownOf(agentName, `block/${block.kind}`, raw, block.native)]
  }
}

function titleOf(words: Words, call: string): { readonly title?: string } {
  const meta = allWordsOf(words['tool_use_meta']).find(each => each['id'] === call)
  const title = textOf(meta?.['display_name'])
  return title === null ? {} : { title }
}

/** An answer that was not streamed tells its tokens here, in each of its blocks. */
function noteUsage(draft: Draft, message: Words): void {
  const { spending, models } = draft.state
  const usage = wordsOf(message['usage'])
  const isStreamed = (getIn(models, null)?.blocks.layers.length ?? 0) > 0
  if (usage === null || isStreamed || textOf(message['stop_reason']) === null) return
  const model = textOf(message['model'])
  const isFirst = getIn(models, null)?.finals === 1
  const done = isFirst ? sumOf(spending.done, spending.request) : spending.done
  remember(draft, {
    stop: textOf(message['stop_reason']),
    spending: { ...spending, done, request: tokensOf(usage), model },
  })
}
