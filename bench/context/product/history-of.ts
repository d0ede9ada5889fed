import { createHistory } from '../../../src/context/create-history.ts'
import type { CallPart, Message, Part, ResultPart, Role } from '../../../src/context/formats/conversation.ts'
import type { History } from '../../../src/context/history.ts'
import type { Json } from '../../../src/protocol/json.ts'
import type { Block, Call } from '../transcript/block.ts'
import type { Request, Segment } from '../transcript/segment.ts'

/** The name of a block's part in the history. */
export const partId = ({ index }: Block): string => `b${index}`

/** Makes the history that a request of a segment saw, request after request. */
export function createHistoryOf({ blocks }: Segment): (request: Request) => History {
  const draft = createHistory({ session: 'transcript', agent: 'claude-code' })
  const place = createPlace()
  let told = 0
  return ({ upTo }) => {
    for (const run of runsOf(blocks.slice(told, upTo))) draft.add(messageOf(run), place(run))
    told = upTo
    return draft.view()
  }
}

const roleOf = ({ kind }: Block): Role =>
  kind === 'result' ? 'tool' : kind === 'user' || kind === 'file' ? 'user' : 'assistant'

/** The blocks of each message: of one answer of the model, of the results of one step, of one prompt. */
function runsOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const runs: Block[][] = []
  for (const block of blocks) {
    const last = runs.at(-1)?.[0]
    if (last !== undefined && belongs(last, block)) runs.at(-1)?.push(block)
    else runs.push([block])
  }
  return runs
}

const belongs = (one: Block, other: Block): boolean =>
  roleOf(one) === roleOf(other) &&
  one.step === other.step &&
  (one.message === other.message || one.kind === 'result')

/** A new interaction begins when a person speaks although no tool was answering. */
function createPlace() {
  let interaction = 0
  let answered = -1
  return ([first]: readonly Block[]) => {
    if (first === undefined) throw new Error('A message without blocks.')
    if (first.kind === 'result') answered = first.step
    if (roleOf(first) === 'user' && answered !== first.step) interaction++
    const step = roleOf(first) === 'assistant' ? first.step : first.step + 1
    return { interaction: `i${interaction}`, at: first.at, step }
  }
}

function messageOf(run: readonly Block[]): Message {
  const [first] = run
  if (first === undefined) throw new Error('A message without blocks.')
  return { id: `m${first.index}`, role: roleOf(first), parts: run.map(partOf) }
}

function partOf(block: Block): Part {
  const { kind, content, signature } = block
  const id = partId(block)
  switch (kind) {
    case 'user':
    case 'text':
      return { kind: 'text', id, text: content }
    case 'thinking':
      return { kind: 'reasoning', id, text: content, seal: { provider: 'anthropic', signature } }
    case 'call':
      return callPart(block)
    case 'result':
      return resultPart(block)
    case 'file':
      return { kind: 'file', id, mediaType: 'image/png', source: { data: '' } }
  }
}

function callPart(block: Block): CallPart {
  const { id, tool, input } = calledBy(block)
  return { kind: 'call', id: partId(block), call: id, tool, input: input as Json }
}

function resultPart(block: Block): ResultPart {
  const { id: call, tool } = calledBy(block)
  const id = partId(block)
  const content = [{ kind: 'text', id: `${id}:text`, text: block.content }] as const
  return { kind: 'result', id, call, tool, content, isError: block.isError }
}

function calledBy({ call }: Block): Call {
  if (call === null) throw new Error('A call or a result without a call.')
  return call
}
