import { describe, expect, it } from 'vitest'
import { partsOf } from '../kit/lossless.fixture.ts'
import {
  begins,
  completes,
  delta,
  translated,
  translatedRecording,
  inTurn,
  text,
  threadAnswer,
  turnBegins,
  turnEnds,
} from './talk.fixture.ts'

const spawn = (id: string, receiverThreadIds: readonly string[], status = 'completed') => ({
  type: 'collabAgentToolCall',
  id,
  tool: 'spawnAgent',
  status,
  senderThreadId: 'T',
  receiverThreadIds,
  prompt: 'Look around',
})
const child = { threadId: 'C', turnId: 'W' }

describe('subagents', () => {
  it('[P4] write in the thread of the call that started them, also before that call is known', () => {
    const result = inTurn(
      begins(spawn('s', [], 'inProgress')),
      turnBegins('W', 'C'),
      begins({ type: 'agentMessage', id: 'x', text: '' }, child),
      delta('x', 'Looking', child),
      completes(spawn('s', ['C'])),
      text('x', 'Looking.', child),
      turnEnds('completed', {}, 'W', 'C'),
      text('a', 'Done.'),
    )
    expect(result.messages.map(({ thread }) => thread)).toEqual([null, 's'])
    expect(partsOf(result, 'data-subagent')).toMatchObject([
      { id: 's', data: { description: 'Look around', status: 'completed', lastWords: 'Looking.' } },
    ])
  })

  it('[P4] may run again, be stopped, and outlive the turn that started them', () => {
    const result = translated(
      turnBegins(),
      completes(spawn('s', ['C'])),
      turnBegins('W', 'C'),
      text('x', 'Once.', child),
      turnEnds(),
      turnEnds('interrupted', {}, 'W', 'C'),
      turnBegins('X', 'C'),
      text('x', 'Twice.', { ...child, turnId: 'X' }),
      turnEnds('completed', {}, 'X', 'C'),
    )
    expect(result.messages.filter(({ thread }) => thread === 's')).toHaveLength(2)
    expect(partsOf(result, 'data-subagent')).toMatchObject([{ data: { status: 'completed' } }])
  })

  it('[P4] that could not be started are shown as failed', () => {
    const result = inTurn(begins(spawn('s', [], 'inProgress')), completes(spawn('s', [], 'failed')))
    expect(partsOf(result, 'data-subagent')).toMatchObject([{ data: { status: 'failed' } }])
    expect(partsOf(result, 'dynamic-tool')).toMatchObject([{ toolName: 'spawnAgent', state: 'output-error' }])
  })

  it('[P4] of another kind are reported by separate items', () => {
    const activity = (id: string, kind: string) =>
      completes({ type: 'subAgentActivity', id, kind, agentThreadId: 'C', agentPath: 'scout' })
    const result = inTurn(activity('s', 'started'), text('x', 'Hm.', child), activity('t', 'interrupted'))
    expect(result.messages.map(({ thread }) => thread)).toEqual([null, 's'])
    expect(partsOf(result, 'data-subagent')).toMatchObject([{ data: { agent: 'scout', status: 'stopped' } }])
  })

  it('[P4] a thread without a parent is separate from the conversation', () => {
    const result = translatedRecording('two-threads')
    expect(result.messages).toHaveLength(2)
    expect(partsOf(result, 'text').map(part => part.text.slice(0, 3))).toEqual(['b0 ', 'a0 '])
    expect(partsOf(result, 'dynamic-tool')).toMatchObject([
      { toolName: 'unknown', state: 'output-available' },
    ])
  })

  it('[P9] a fork of the conversation replaces it', () => {
    const forked = JSON.stringify({ id: 9, result: { thread: { id: 'F', forkedFromId: 'T' } } })
    const result = translated(
      forked,
      threadAnswer('Z'),
      turnBegins('U', 'F'),
      text('a', 'Hi.', { threadId: 'F' }),
    )
    expect(result.messages.map(({ thread }) => thread)).toEqual([null])
    expect(partsOf(result, 'data-session')).toMatchObject([{ data: { agentSession: 'F' } }])
    expect(partsOf(translatedRecording('live-fork'), 'text')).toMatchObject([{ text: 'Twice.' }])
  })

  it('[P4] have the names that Codex gives them', () => {
    const [news] = partsOf(translatedRecording('live-subagent'), 'data-subagent')
    expect(news?.data).toMatchObject({ status: 'completed', toolCalls: 1, lastWords: 'Seen.' })
    expect(news?.data.agent).toMatch(/^[A-Z]\w+$/)
  })
})
