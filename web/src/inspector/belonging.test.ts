import { describe, expect, it } from 'vitest'
import type { Chunk, Entry, Event } from 'dragoman'
import { createBelonging } from './belonging.ts'
import { lineOf } from './line.ts'
import type { InspectTarget } from './target.ts'

const said = (chunks: readonly Chunk[], raw = '{}', thread: string | null = null): Event =>
  ({
    type: 'agent-spoke',
    interaction: 'i1',
    connection: 'c1',
    raw,
    chunks: chunks.map(chunk => ({ thread, chunk })),
  }) as unknown as Event
const told = (raw: string): Event =>
  ({ type: 'host-spoke', interaction: 'i1', connection: 'c1', raw, chunks: [] }) as unknown as Event
const lines = (...events: readonly Event[]) =>
  events.map((event, index) => lineOf({ seq: index + 1, at: 0, event } as Entry))

/** The numbers of the lines that tell of something, up to where it is over. */
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

describe('what lines tell of', () => {
  it('[W4] gives a message the lines from its beginning to its end, in its own thread', () => {
    const events = [
      said([start('other')]),
      said([finish]),
      said([start('m')]),
      said([delta], '{}', 'subagent'),
      said([delta]),
      said([finish]),
      said([start('next')]),
    ]
    expect(mine({ message: 'm' }, events)).toEqual({ found: [3, 5, 6], isOver: true })
  })
  it('[W4] gives a message what its calls brought after it ended', () => {
    const events = [said([start('m'), call('c')]), said([finish]), said([start('n')]), said([result('c')])]
    expect(mine({ message: 'm' }, events)).toEqual({ found: [1, 2, 4], isOver: true })
  })
  it('[W4] gives a prompt how it came in and what the agent was told of it', () => {
    const events = [
      { type: 'prompt-queued', prompt: 'p', parts: [] } as unknown as Event,
      { type: 'interaction-started', interaction: 'i1', prompt: 'p', parts: [] } as unknown as Event,
      told('{"prompt":"…"}'),
      said([]),
      said([start('m')]),
      told('later'),
    ]
    expect(mine({ message: 'p' }, events)).toEqual({ found: [1, 2, 3], isOver: true })
  })
  it('[W4] gives a call its chunks, its question and answer, and native lines that name it', () => {
    const events = [
      said([start('m'), call('call-1')]),
      said([{ type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'call-1' }]),
      said([call('call-2')]),
      { type: 'approval-answered', approval: 'a1', approved: true } as unknown as Event,
      told('{"request":"a1","allow":true}'),
      told('{"of":"call-1"}'),
      said([result('call-2')]),
      said([{ ...result('call-1'), preliminary: true } as Chunk]),
      said([result('call-1')]),
      said([call('call-1')]),
    ]
    expect(mine({ toolCall: 'call-1', message: 'm' }, events)).toEqual({
      found: [1, 2, 4, 5, 6, 8, 9],
      isOver: true,
    })
  })
  it('[W4] gives an entry everything from it on', () => {
    expect(mine({ seq: 1 }, [said([]), told('')])).toEqual({ found: [1, 2], isOver: false })
  })
})
