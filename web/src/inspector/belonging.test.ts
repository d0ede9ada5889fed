import { describe, expect, it } from 'vitest'
import type { Chunk, Entry, Event } from 'dragoman'
import { createBelonging } from './belonging.ts'
import { lineOf } from './line.ts'
import type { InspectTarget } from './target.ts'

const output = (chunks: readonly Chunk[], raw = '{}', thread: string | null = null): Event =>
  ({
    type: 'agent-spoke',
    interaction: 'i1',
    connection: 'c1',
    raw,
    chunks: chunks.map(chunk => ({ thread, chunk })),
  }) as unknown as Event
const input = (raw: string): Event =>
  ({ type: 'host-spoke', interaction: 'i1', connection: 'c1', raw, chunks: [] }) as unknown as Event
const lines = (...events: readonly Event[]) =>
  events.map((event, index) => lineOf({ seq: index + 1, at: 0, event } as Entry))

/** The numbers of the lines of a target, up to its end. */
function mine(target: InspectTarget, events: readonly Event[]) {
  const belonging = createBelonging(target)
  const found: number[] = []
  for (const line of lines(...events)) {
    if (belonging.isOver()) break
    if (belonging.take(line)) found.push(line.seq)
  }
  return { found, isOver: belonging.isOver() }
}

const start = (messageId: string): Chunk => ({ type: 'start', messageId })
const delta: Chunk = { type: 'text-delta', id: 't', delta: 'x' }
const finish: Chunk = { type: 'finish' }
const call = (toolCallId: string): Chunk => ({
  type: 'tool-input-available',
  toolCallId,
  toolName: 'Read',
  input: {},
})
const result = (toolCallId: string): Chunk => ({ type: 'tool-output-available', toolCallId, output: 'ok' })

describe('the lines of a target', () => {
  it('[W4] for a message are those from its start to its end, in its own thread', () => {
    const events = [
      output([start('other')]),
      output([finish]),
      output([start('m')]),
      output([delta], '{}', 'subagent'),
      output([delta]),
      output([finish]),
      output([start('next')]),
    ]
    expect(mine({ message: 'm' }, events)).toEqual({ found: [3, 5, 6], isOver: true })
  })
  it('[W4] for a message include results of its calls after its end', () => {
    const events = [
      output([start('m'), call('c')]),
      output([finish]),
      output([start('n')]),
      output([result('c')]),
    ]
    expect(mine({ message: 'm' }, events)).toEqual({ found: [1, 2, 4], isOver: true })
  })
  it('[W4] for a prompt are how it arrived and how it was sent to the agent', () => {
    const events = [
      { type: 'prompt-queued', prompt: 'p', parts: [] } as unknown as Event,
      { type: 'interaction-started', interaction: 'i1', prompt: 'p', parts: [] } as unknown as Event,
      input('{"prompt":"…"}'),
      output([]),
      output([start('m')]),
      input('later'),
    ]
    expect(mine({ message: 'p' }, events)).toEqual({ found: [1, 2, 3], isOver: true })
  })
  it('[W4] for a tool call are its chunks, its approval, and native lines that name it', () => {
    const events = [
      output([start('m'), call('call-1')]),
      output([{ type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'call-1' }]),
      output([call('call-2')]),
      { type: 'approval-answered', approval: 'a1', approved: true } as unknown as Event,
      input('{"request":"a1","allow":true}'),
      input('{"of":"call-1"}'),
      output([result('call-2')]),
      output([{ ...result('call-1'), preliminary: true } as Chunk]),
      output([result('call-1')]),
      output([call('call-1')]),
    ]
    expect(mine({ toolCall: 'call-1', message: 'm' }, events)).toEqual({
      found: [1, 2, 4, 5, 6, 8, 9],
      isOver: true,
    })
  })
  it('[W4] for an entry are that entry and all later ones', () => {
    expect(mine({ seq: 1 }, [output([]), input('')])).toEqual({ found: [1, 2], isOver: false })
  })
})
